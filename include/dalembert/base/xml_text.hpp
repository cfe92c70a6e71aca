// Text inside of XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace dalembert {

/// With &, <, > and double quotes as entities, control characters as spaces: for contents and attributes.
std::string xml_text(std::string_view text);

}  // namespace dalembert

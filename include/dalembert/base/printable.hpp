// Text of a user that can be shown anywhere: on a terminal, in a comment, in a picture.
#pragma once

#include <string>
#include <string_view>

namespace dalembert {

/// What to do with line breaks.
enum class LineBreaks { to_spaces, keep };

/// Control characters, marks that turn the direction of writing, invisible marks and bytes that are no UTF-8
/// become '?'. Tabs are spaces.
std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::to_spaces);

}  // namespace dalembert

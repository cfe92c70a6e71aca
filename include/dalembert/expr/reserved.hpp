// Names that have a meaning in every expression.
#pragma once

#include <string>
#include <string_view>

namespace dalembert {

/// What a reserved name means, such as "the time"; empty for a name that is free.
std::string meaning_of_reserved(std::string_view name);

/// nan, inf and the like, which files can contain and expressions cannot.
bool is_not_finite(std::string_view text);

}  // namespace dalembert

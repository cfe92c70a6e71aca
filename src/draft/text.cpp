#include <string>

#include <dalembert/base/text.hpp>
#include <dalembert/draft/text.hpp>

namespace dalembert {

Text::Text(double value) : text(shortest(value)) {}
Text::Text(int value) : text(std::to_string(value)) {}

}  // namespace dalembert

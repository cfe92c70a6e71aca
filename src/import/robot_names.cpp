#ifdef DALEMBERT_HAS_URDF

#include "robot_names.hpp"

#include <cctype>

#include <fmt/format.h>

#include <dalembert/expr/parse.hpp>

#include "robot.hpp"

namespace dalembert {

std::string RobotNames::name_of(const std::string& text, const std::string& kind) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = kind + "_" + name;
  if (names_.contains(name) || !is_definable_name(name)) name += "_" + kind;
  name = free_name(name);
  if (name != text)
    notes_.push_back(fmt::format("the {} '{}' is called '{}' in the model", kind, one_line(text), name));
  return name;
}

std::string RobotNames::free_name(std::string name) {
  while (!names_.insert(name).second) name += "_";
  return name;
}

}  // namespace dalembert

#endif

// Names of a model file for the links and joints of a robot.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace dalembert {

class RobotNames {
 public:
  /// A name that the model file allows and that is not taken yet; `kind` is link or joint.
  std::string name_of(const std::string& text, const std::string& kind);
  /// The same for names that the robot does not have.
  std::string free_name(std::string name);
  /// Which names were changed.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::set<std::string> names_{"ground"};
  std::vector<std::string> notes_;
};

}  // namespace dalembert

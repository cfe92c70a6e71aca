// A model file in the making: sections of keys, sums that grow term by term, blocks of bodies and joints.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dalembert::campaign {

class Sketch {
 public:
  /// key = value, written as it is.
  void set(const std::string& section, const std::string& key, const std::string& value);
  /// One more term of the formula key = "term + term + ...".
  void add(const std::string& section, const std::string& key, const std::string& term);
  bool has(const std::string& section, const std::string& key) const;

  /// Replaces names in all formulas, see with_names_replaced.
  void replace_names(const std::vector<std::pair<std::string, std::string>>& values);
  /// (formula)/divisor instead of the formula of `key`, if there is one.
  void divide(const std::string& section, const std::string& key, const std::string& divisor);

  /// [[kind]] with its lines.
  void block(const std::string& kind, const std::vector<std::string>& lines);

  std::string text() const;

 private:
  struct Entry {
    std::string key, value;
    bool formula = false;
  };
  struct Section {
    std::string name;  // empty: the top of the file
    std::vector<Entry> entries;
  };
  Section& section(const std::string& name);

  std::vector<Section> sections_{{"", {}}};
  std::vector<std::string> blocks_;
};

/// Replaces whole names in a formula: {"x", "2"} turns x*x0 into 2*x0, and leaves x' alone; {"x'", "0"} is
/// for velocities.
std::string with_names_replaced(std::string_view formula,
                                const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace dalembert::campaign

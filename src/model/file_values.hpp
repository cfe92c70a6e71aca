// Values of a model file by their types, with errors at their places.
#pragma once

#include <string_view>
#include <vector>

#include <dalembert/draft/reporter.hpp>
#include <dalembert/model/draft.hpp>

#include "toml_tree.hpp"

namespace dalembert {

class FileValues {
 protected:
  explicit FileValues(ModelDraft& draft) : draft_(draft), report_(draft) {}

  static Name key_of(const TomlNode& node) { return {node.key, node.key_where}; }

  // `what` names the value in errors.
  const std::vector<TomlNode>& table(const TomlNode& node) const;
  const std::vector<TomlNode>& array(const TomlNode& node, std::string_view what, std::string_view of) const;
  Text expression(const TomlNode& node, std::string_view what) const;
  Text words(const TomlNode& node, std::string_view what) const;
  bool flag(const TomlNode& node) const;
  TextRow row(const TomlNode& node, std::string_view what) const;
  TextMatrix matrix(const TomlNode& node) const;
  std::vector<NamedText> named_expressions(const TomlNode& node) const;
  Value any_value(const TomlNode& node) const;
  [[noreturn]] void wrong_type(const TomlNode& node, std::string_view what, std::string_view expected) const;

  ModelDraft& draft_;
  Reporter report_;
};

}  // namespace dalembert

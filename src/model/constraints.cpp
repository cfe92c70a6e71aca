#include <string>

#include <fmt/format.h>

#include "checker.hpp"
#include "identity.hpp"

namespace dalembert {

SourceLocation Checker::place_of(const Text& text) const {
  SourceLocation place = text.where;
  if (place.file.empty()) place.file = draft_.file;
  return place;
}

void Checker::check_holonomic() {
  for (const auto& [name, text] : draft_.holonomic) {
    const std::string label = "holonomic constraint " + in_quotes(name.text);
    const Expr residual = names_.equation(text, scope::holonomic, label);
    if (!names_.contains_coordinate(residual)) {
      report_.at_text(text, label, 0,
                      fmt::format("the constraint {} contains no coordinate", in_quotes(name.text)));
    }
    const Expr lambda = data_.graph->symbol("lambda(" + name.text + ")");
    (is_disabled(name) ? data_.disabled_holonomic : data_.holonomic)
        .push_back({name.text, residual, lambda, place_of(text)});
  }
}

void Checker::check_nonholonomic() {
  for (const auto& [name, text] : draft_.nonholonomic) {
    const std::string label = "nonholonomic constraint " + in_quotes(name.text);
    if (data_.kind == ModelKind::kinematic) {
      report_.at_name(name, "a kinematic model has holonomic constraints only");
    }
    const Expr residual = names_.equation(text, scope::nonholonomic, label);
    if (!names_.contains_velocity(residual)) {
      report_.at_text(
          text, label, 0,
          fmt::format("the nonholonomic constraint {} contains no velocity; is it a holonomic one?",
                      in_quotes(name.text)));
    }
    const Expr linear = linear_in_velocities(residual, data_);
    if (!linear) {
      report_.at_text(text, label, 0,
                      fmt::format("the nonholonomic constraint {} is not linear in the velocities",
                                  in_quotes(name.text)));
    }
    const Expr lambda = data_.graph->symbol("lambda(" + name.text + ")");
    (is_disabled(name) ? data_.disabled_nonholonomic : data_.nonholonomic)
        .push_back({name.text, linear, lambda, place_of(text)});
  }
}

}  // namespace dalembert

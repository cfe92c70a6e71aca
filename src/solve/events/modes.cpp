#include "events/modes.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/substitute.hpp>

namespace dalembert {

ModeForms::ModeForms(const ModelData& model)
    : graph_(std::make_shared<Graph>(model.graph)), zero_(graph_->number(0)) {
  const auto add = [&](const std::vector<Constraint>& constraints, bool is_holonomic, bool on) {
    for (const Constraint& one : constraints) {
      names.push_back(one.name);
      constraints_.push_back(one);
      holonomic.push_back(is_holonomic);
      start.links.push_back(on);
    }
  };
  add(model.holonomic, true, true);
  add(model.nonholonomic, false, true);
  add(model.disabled_holonomic, true, false);
  add(model.disabled_nonholonomic, false, false);
  first_contact = names.size();
  for (const Contact& contact : model.contacts)
    add({{contact.name, graph_->number(-1) * graph_->at(contact.gap.id()), contact.lambda, contact.where}},
        true, false);
  first_slip = names.size();
  for (const Friction& friction : model.frictions) {
    slips.emplace_back();
    for (const Slip& slip : friction.slip) {
      slips.back().push_back(names.size());
      add({{slip.name, graph_->number(-1) * graph_->at(slip.velocity.id()), slip.lambda, friction.where}},
          false, false);
    }
    add_pressure(model, friction);
  }
  graph_->freeze();
  start.forces.assign(model.coordinates.size(), true);
  start.signs.assign(model.held_signs.size(), 0);
}

// Linear in multipliers and sizes of them.
void ModeForms::add_pressure(const ModelData& model, const Friction& friction) {
  const Expr pressure = graph_->at(friction.pressure.id());
  const auto link_of = [this](Expr lambda) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(constraints_, lambda, &Constraint::lambda);
    if (found == constraints_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - constraints_.begin());
  };
  normals.push_back(friction.normal ? link_of(friction.normal) : std::nullopt);
  PressureParts& known = pressures.emplace_back();
  std::unordered_map<NodeId, Expr> zero;
  for (const Expr& symbol : symbols_in(pressure)) {
    PressureParts::Part one;
    const auto size = std::ranges::find(model.sizes, symbol, &MultiplierSize::symbol);
    if (size != model.sizes.end()) {
      for (const Expr& lambda : size->multipliers) one.links.push_back(*link_of(lambda));
    } else if (const auto link = link_of(symbol)) {
      one.links.push_back(*link);
    }
    if (one.links.empty()) continue;
    one.slope = derivative(pressure, symbol);
    known.parts.push_back(std::move(one));
    zero.emplace(symbol.id(), zero_);
  }
  known.given = substitute(pressure, zero);
}

double ModeSystems::Pressure::at(std::span<const double> lambda) const {
  double sum = given;
  for (const auto& [link, slope] : slopes) sum += slope * lambda[link];
  return sum;
}

ModeSystems::Pressure ModeSystems::pressure(std::size_t friction, const Mode& mode, double t,
                                            std::span<const double> q, std::span<const double> lambda) const {
  const auto& [parts, given] = forms_->pressures[friction];
  const bool is_contact = parts.size() == 1 && parts[0].slope.is_one() && parts[0].links.size() == 1;
  if (is_contact && given.is_zero()) return {0, {{parts[0].links[0], 1.0}}};
  const ModelData& model = base_.model();
  auto values = base_.with_parameters(parameters_).parameter_values<double>();
  values[model.time.id()] = t;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) values[model.coordinates[i].q.id()] = q[i];
  for (std::size_t i = 0; i < model.held_signs.size(); ++i)
    values[model.held_signs[i].symbol.id()] = mode.signs[i];
  Pressure result{evaluate<double>(given, values), {}};
  for (const ModeForms::PressureParts::Part& part : parts) {
    double square = 0;
    for (const std::size_t link : part.links) square += lambda[link] * lambda[link];
    const double slope = evaluate<double>(part.slope, values);
    for (const std::size_t link : part.links) {
      const double share = part.links.size() == 1 ? 1 : square > 0 ? lambda[link] / std::sqrt(square) : 0;
      result.slopes.emplace_back(link, slope * share);
    }
  }
  return result;
}

Model ModeForms::model_of(const ModelData& model, const Mode& mode) const {
  ModelData data = model;
  data.graph = graph_;
  data.holonomic.clear();
  data.nonholonomic.clear();
  data.disabled_holonomic.clear();
  data.disabled_nonholonomic.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= first_contact && !mode.links[i]) continue;
    auto& list = holonomic[i] ? (mode.links[i] ? data.holonomic : data.disabled_holonomic)
                              : (mode.links[i] ? data.nonholonomic : data.disabled_nonholonomic);
    list.push_back(constraints_[i]);
  }
  for (std::size_t i = 0; i < mode.forces.size(); ++i)
    if (!mode.forces[i]) data.generalized_force[i] = zero_;
  return Model(std::move(data));
}

std::shared_ptr<const System> ModeForms::compile(const ModelData& model, const Mode& mode) {
  const std::scoped_lock lock(mutex_);
  const auto found = compiled_.find(mode);
  if (found != compiled_.end()) return found->second;
  if (compiled_.size() >= most_compiled) compiled_.clear();
  return compiled_.emplace(mode, std::make_shared<const System>(model_of(model, mode))).first->second;
}

ModeSystems::ModeSystems(const System& base, std::shared_ptr<ModeForms> forms)
    : base_(base), forms_(forms ? std::move(forms) : std::make_shared<ModeForms>(base.model())) {}

std::optional<std::size_t> ModeSystems::find(std::string_view name) const {
  const auto found = std::ranges::find(forms_->names, name);
  if (found == forms_->names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - forms_->names.begin());
}

const System& ModeSystems::get(const Mode& mode) {
  if (is_start(mode)) return base_;
  const auto used = used_.find(mode);
  if (used != used_.end()) return *used->second;
  Mode kind = mode;  // signs are numbers
  kind.signs = start().signs;
  const System system = kind == start() ? base_ : *forms_->compile(model(), kind);
  return *used_.emplace(mode, std::make_unique<const System>(with_numbers(system, mode))).first->second;
}

System ModeSystems::with_numbers(const System& system, const Mode& mode) const {
  std::vector<NamedValue> numbers = base_.given_parameters();  // those of a mode are the model's
  numbers.insert(numbers.end(), parameters_.begin(), parameters_.end());
  for (std::size_t i = 0; i < mode.signs.size(); ++i)
    numbers.emplace_back(base_.model().held_signs[i].name, mode.signs[i]);
  if (inputs_at_) {
    const System present = numbers.empty() ? system : system.with_parameters(numbers);
    return present.with_inputs_at(inputs_at_->t, inputs_at_->before);
  }
  return system.with_parameters(numbers);
}

const System& ModeSystems::all(const Mode& mode) {
  Mode every = mode;
  every.links.assign(every.links.size(), true);
  return get(every);
}

// Holonomic constraints come first.
std::optional<std::size_t> ModeSystems::row(const Mode& mode, std::size_t link) const {
  if (!mode.links[link]) return std::nullopt;
  const std::vector<bool>& holonomic = forms_->holonomic;
  std::size_t row = 0;
  for (std::size_t i = 0; i < holonomic.size(); ++i) {
    const bool is_before = holonomic[i] == holonomic[link] ? i < link : holonomic[i];
    if (mode.links[i] && is_before) ++row;
  }
  return row;
}

void ModeSystems::set_parameter(const std::string& name, double value) {
  const auto known = std::ranges::find(parameters_, name, &NamedValue::first);
  if (known != parameters_.end()) {
    known->second = value;
  } else {
    parameters_.emplace_back(name, value);
  }
  used_.clear();
}

void ModeSystems::set_inputs_at(double t, bool before) {
  inputs_at_ = {t, before};
  used_.clear();
}

double ModeSystems::parameter(Expr e) const {
  if (parameters_.empty()) return evaluate<double>(e, base_.parameter_values<double>());
  return evaluate<double>(e, base_.with_parameters(parameters_).parameter_values<double>());
}

}  // namespace dalembert

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/model/start_parameters.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/session/loaded_model.hpp>

namespace dalembert::session {
namespace {

Model read(const ModelSource& source) {
  std::vector<Override> overrides;
  for (const std::string& setting : source.settings) overrides.push_back(parse_override(setting));
  return with_start_parameters(read_model_text(source.text, source.file, overrides, source.columns),
                               source.starts);
}

}  // namespace

struct LoadedModel::Parts {
  explicit Parts(ModelSource of) : source(std::move(of)) {}

  const ModelSource source;
  std::mutex mutex;
  std::optional<Equations> equations;
  std::optional<KinematicEquations> kinematic_equations;
  std::optional<System> system;
  std::optional<KinematicSystem> kinematic_system;
  std::optional<std::shared_ptr<const RowProgram>> rows;
  std::map<std::vector<std::string>, LoadedModel>
      started;  // by the names of start values that are parameters

  template <class Part>
  const Part& get(std::optional<Part>& part, const auto& make) {
    const std::scoped_lock lock(mutex);
    if (!part) part.emplace(make());
    return *part;
  }
};

// Other values of parameters, and of the starts that are parameters.
struct LoadedModel::Variant {
  Variant(System with_values, std::vector<NamedValue> all)
      : system(std::move(with_values)), values(std::move(all)) {}

  System system;
  std::vector<NamedValue> values;  // since the model was read
  std::once_flag read;
  std::optional<LoadedModel> own;
};

LoadedModel::LoadedModel(ModelSource source)
    : source_(std::move(source)), described_(read(source_)), parts_(std::make_shared<Parts>(source_)) {}

LoadedModel LoadedModel::with_parameters(std::span<const NamedValue> values) const {
  for (const auto& [name, value] : values) {
    if (!std::isfinite(value))
      throw Error(fmt::format("the parameter '{}' must be a finite number, not {}", name, value));
  }
  return with_values(values);
}

LoadedModel LoadedModel::with_values(std::span<const NamedValue> values) const {
  LoadedModel other = *this;
  std::vector<NamedValue> all = variant_ ? variant_->values : std::vector<NamedValue>{};
  for (const auto& [name, value] : values) {
    const auto is_it = [&](const std::string& setting) { return parse_override(setting).name == name; };
    std::erase_if(other.source_.settings, is_it);
    std::erase_if(all, [&](const NamedValue& one) { return one.first == name; });
    other.source_.settings.push_back(name + "=" + shortest(value));
    all.emplace_back(name, value);
  }
  if (is_kinematic()) return LoadedModel(other.source_);
  other.variant_ = std::make_shared<Variant>(system().with_parameters(values), std::move(all));
  return other;
}

LoadedModel LoadedModel::with_start(std::span<const NamedValue> values) const {
  std::vector<std::string> names = parts_->source.starts;
  for (const auto& [name, value] : values) {
    if (!std::isfinite(value))
      throw Error(fmt::format("the start value of {} must be a finite number, not {}", name, value));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::ranges::sort(names);
  LoadedModel started = started_at(names);
  if (variant_ && started.parts_ != parts_) started = started.with_values(variant_->values);
  return started.with_values(values);
}

// This model as it was read, with these start values as parameters.
LoadedModel LoadedModel::started_at(const std::vector<std::string>& names) const {
  if (is_kinematic() || names == parts_->source.starts) return *this;
  const std::scoped_lock lock(parts_->mutex);
  const auto known = parts_->started.find(names);
  if (known != parts_->started.end()) return known->second;
  ModelSource source = parts_->source;
  source.starts = names;
  return parts_->started.emplace(names, LoadedModel(std::move(source))).first->second;
}

const LoadedModel& LoadedModel::own() const {
  if (!variant_) return *this;
  std::call_once(variant_->read, [&] {
    ModelSource source = source_;
    source.starts.clear();  // settings have their values
    variant_->own.emplace(std::move(source));
  });
  return *variant_->own;
}

const Equations& LoadedModel::equations() const {
  return parts_->get(parts_->equations, [&] { return derive_equations(described_); });
}

const KinematicEquations& LoadedModel::kinematic_equations() const {
  return parts_->get(parts_->kinematic_equations, [&] { return derive_kinematics(described_); });
}

const System& LoadedModel::system() const {
  if (variant_) return variant_->system;
  const Equations& derived = equations();
  return parts_->get(parts_->system, [&] { return System(derived); });
}

const KinematicSystem& LoadedModel::kinematic_system() const {
  return parts_->get(parts_->kinematic_system, [&] { return KinematicSystem(described_); });
}

std::shared_ptr<const RowProgram> LoadedModel::row_program() const {
  const Equations* derived = is_kinematic() ? nullptr : &equations();
  return parts_->get(parts_->rows, [&] {
    const auto forces = derived == nullptr ? ConstraintForces{} : constraint_forces(*derived);
    return std::make_shared<const RowProgram>(described_, all_columns(*described_), forces);
  });
}

ModelSource find_source(const std::string& name_or_file, std::vector<std::string> settings) {
  for (const std::string& setting : settings) parse_override(setting);  // before the file is looked for
  const std::filesystem::path file = find_model(name_or_file);
  return {read_text(file), file.string(), std::move(settings), {}};
}

LoadedModel load(const std::string& name_or_file, std::vector<std::string> settings) {
  return LoadedModel(find_source(name_or_file, std::move(settings)));
}

LoadedModel load_text(std::string text, std::vector<std::string> settings, std::string name) {
  return LoadedModel({std::move(text), std::move(name), std::move(settings), {}});
}

LoadedModel load_with_columns(ModelSource source, const std::vector<std::string>& wanted) {
  LoadedModel loaded(source);
  for (const std::string& column : wanted)
    if (!has_column(*loaded.model(), column)) source.columns.push_back(column);
  if (source.columns.empty()) return loaded;
  try {
    return LoadedModel(source);
  } catch (const Error&) {
    const auto is_name = [](const std::string& column) {
      return column.find_first_of("+-/^() ") == std::string::npos;
    };
    if (std::ranges::any_of(source.columns, is_name)) choose_columns(*loaded.model(), wanted);  // throws
    throw;
  }
}

}  // namespace dalembert::session

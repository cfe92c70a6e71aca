#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include <dalembert/base/error.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/session/loaded_model.hpp>

namespace dalembert::session {
namespace {

Model read(const ModelSource& source) {
  std::vector<Override> overrides;
  for (const std::string& setting : source.settings) overrides.push_back(parse_override(setting));
  return read_model_text(source.text, source.file, overrides, source.columns);
}

}  // namespace

struct LoadedModel::Parts {
  std::mutex mutex;
  std::optional<Equations> equations;
  std::optional<KinematicEquations> kinematic_equations;
  std::optional<System> system;
  std::optional<KinematicSystem> kinematic_system;

  template <class Part>
  const Part& get(std::optional<Part>& part, const auto& make) {
    const std::scoped_lock lock(mutex);
    if (!part) part.emplace(make());
    return *part;
  }
};

LoadedModel::LoadedModel(ModelSource source)
    : source_(std::move(source)), model_(read(source_)), parts_(std::make_shared<Parts>()) {}

const Equations& LoadedModel::equations() const {
  return parts_->get(parts_->equations, [&] { return derive_equations(model_); });
}

const KinematicEquations& LoadedModel::kinematic_equations() const {
  return parts_->get(parts_->kinematic_equations, [&] { return derive_kinematics(model_); });
}

const System& LoadedModel::system() const {
  const Equations& derived = equations();
  return parts_->get(parts_->system, [&] { return System(derived); });
}

const KinematicSystem& LoadedModel::kinematic_system() const {
  return parts_->get(parts_->kinematic_system, [&] { return KinematicSystem(model_); });
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

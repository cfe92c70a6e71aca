// A model in Python's hands. Any number of threads may make calls with one, and copies share what was
// derived.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <dalembert/session/loaded_model.hpp>

namespace dalembert::python {

class ModelHandle {
 public:
  /// Reads and checks; throws Error.
  explicit ModelHandle(session::ModelSource source) : model_(std::move(source)) {}

  /// The same with other values of parameters, which compiles nothing again where the model is mechanical.
  ModelHandle with_parameters(const std::vector<NamedValue>& values) const {
    return ModelHandle(model_.with_parameters(values));
  }
  /// The same with other numbers for start values, x or x'. Compiles nothing again but at the first of its
  /// names.
  ModelHandle with_start(const std::vector<NamedValue>& values) const {
    return ModelHandle(model_.with_start(values));
  }
  /// The same with other settings, "theta1=0.3", read again.
  ModelHandle with_settings(const std::vector<std::string>& settings) const {
    session::ModelSource source = model_.source();
    source.starts.clear();  // settings have their values
    source.settings.insert(source.settings.end(), settings.begin(), settings.end());
    return ModelHandle(std::move(source));
  }

  const session::LoadedModel& operator*() const { return model_; }
  const session::LoadedModel* operator->() const { return &model_; }
  /// What does not depend on values: names, options, columns.
  const ModelData& described() const { return *model_.described(); }
  const session::ModelSource& source() const { return model_.source(); }

 private:
  explicit ModelHandle(session::LoadedModel model) : model_(std::move(model)) {}

  session::LoadedModel model_;
};

}  // namespace dalembert::python

// A model for any number of Python threads.
//
// The graph of a model belongs to one thread at a time, so each call takes a loaded model for itself and
// gives it back; calls at once have one each. Which one a call gets does not matter: they were read from the
// same text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <dalembert/session/loaded_model.hpp>

namespace dalembert::python {

class ModelHandle {
 public:
  /// Reads and checks; throws Error.
  explicit ModelHandle(session::ModelSource source);

  /// The same with other values of parameters, which compiles nothing again where the model is mechanical.
  ModelHandle with_parameters(const std::vector<NamedValue>& values) const;
  /// The same with other settings, "theta1=0.3", read again.
  ModelHandle with_settings(const std::vector<std::string>& settings) const;

  /// What does not depend on values: names, options, columns. Never changes.
  const ModelData& described() const { return *described_; }
  /// With the settings of with_parameters().
  const session::ModelSource& source() const { return source_; }

 private:
  struct Instance;
  struct Pool;

 public:
  /// A loaded model of one's own while it lives.
  class Lease {
   public:
    explicit Lease(const ModelHandle& handle);
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    const session::LoadedModel& operator*() const { return *model_; }
    const session::LoadedModel* operator->() const { return model_; }

   private:
    std::shared_ptr<Pool> pool_;
    std::unique_ptr<Instance> instance_;
    const session::LoadedModel* model_;
  };

 private:
  session::ModelSource source_;
  std::vector<NamedValue> values_;  // that differ from those of the pool
  std::shared_ptr<Pool> pool_;
  Model described_;
  std::uint64_t identity_;  // of the values
};

}  // namespace dalembert::python

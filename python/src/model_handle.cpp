#include "model_handle.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

namespace dalembert::python {
namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

// A model as its pool was made, and the one of the values that were asked for last.
struct ModelHandle::Instance {
  explicit Instance(session::LoadedModel loaded) : base(std::move(loaded)) {}

  session::LoadedModel base;
  std::uint64_t identity = 0;
  std::optional<session::LoadedModel> variant;
};

struct ModelHandle::Pool {
  session::ModelSource source;
  std::mutex mutex;
  std::vector<std::unique_ptr<Instance>> idle;

  std::unique_ptr<Instance> take() {
    {
      const std::scoped_lock lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Instance> instance = std::move(idle.back());
        idle.pop_back();
        return instance;
      }
    }
    return std::make_unique<Instance>(session::LoadedModel(source));
  }
  void give_back(std::unique_ptr<Instance> instance) {
    const std::scoped_lock lock(mutex);
    idle.push_back(std::move(instance));
  }
};

ModelHandle::Lease::Lease(const ModelHandle& handle) : pool_(handle.pool_), instance_(pool_->take()) {
  model_ = &instance_->base;
  if (handle.values_.empty()) return;
  if (instance_->identity != handle.identity_) {
    instance_->variant.emplace(instance_->base.with_parameters(handle.values_));
    instance_->identity = handle.identity_;
  }
  model_ = &*instance_->variant;
}

ModelHandle::Lease::~Lease() { pool_->give_back(std::move(instance_)); }

ModelHandle::ModelHandle(session::ModelSource source)
    : source_(std::move(source)),
      pool_(std::make_shared<Pool>()),
      described_([this] {
        pool_->source = source_;
        pool_->idle.push_back(std::make_unique<Instance>(session::LoadedModel(source_)));
        return pool_->idle.back()->base.described();
      }()),
      identity_(next_identity()) {}

ModelHandle ModelHandle::with_parameters(const std::vector<NamedValue>& values) const {
  const Lease lease(*this);
  const session::LoadedModel variant = lease->with_parameters(values);
  if (lease->is_kinematic()) return ModelHandle(variant.source());
  ModelHandle other = *this;
  other.source_ = variant.source();
  for (const NamedValue& value : values) {
    std::erase_if(other.values_, [&](const NamedValue& known) { return known.first == value.first; });
    other.values_.push_back(value);
  }
  other.identity_ = next_identity();
  return other;
}

ModelHandle ModelHandle::with_settings(const std::vector<std::string>& settings) const {
  session::ModelSource source = source_;
  source.settings.insert(source.settings.end(), settings.begin(), settings.end());
  return ModelHandle(std::move(source));
}

}  // namespace dalembert::python

#include <atomic>
#include <functional>

#include <dalembert/base/stop.hpp>

namespace dalembert {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

thread_local const std::function<bool()>* innermost = nullptr;

}  // namespace

void request_stop() noexcept { requested.store(true, std::memory_order_relaxed); }

bool stop_requested() noexcept { return requested.load(std::memory_order_relaxed); }

StopScope::StopScope(const std::function<bool()>& go_on) : before_(innermost) {
  innermost = go_on ? &go_on : nullptr;
}

StopScope::~StopScope() { innermost = before_; }

const std::function<bool()>* asked_to_go_on() noexcept { return innermost; }

}  // namespace dalembert

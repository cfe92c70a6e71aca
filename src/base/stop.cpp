#include <atomic>

#include <dalembert/base/stop.hpp>

namespace dalembert {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

void request_stop() noexcept { requested.store(true, std::memory_order_relaxed); }

bool stop_requested() noexcept { return requested.load(std::memory_order_relaxed); }

}  // namespace dalembert

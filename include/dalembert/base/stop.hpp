// Whether work should end early. The program as a whole, by a signal for instance: one flag, which long work
// polls. The work of one thread: a function that who started it gives.
#pragma once

#include <exception>
#include <functional>

namespace dalembert {

/// May be called by a signal handler.
void request_stop() noexcept;

/// Costs a load from memory, so every step may ask.
bool stop_requested() noexcept;

/// Work ended because the `go_on` of its StopScope said no.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// While it lives, work of this thread without steps of its own, in rationals or many digits, asks `go_on`.
class StopScope {
 public:
  /// Without a function nobody is asked.
  explicit StopScope(const std::function<bool()>& go_on);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::function<bool()>* before_;
};

/// Of the innermost StopScope of this thread; nullptr: nobody is asked.
const std::function<bool()>* asked_to_go_on() noexcept;

/// Throws Stopped where `go_on` says no.
inline void stop_unless(const std::function<bool()>* go_on) {
  if (go_on != nullptr && !(*go_on)()) throw Stopped();
}

}  // namespace dalembert

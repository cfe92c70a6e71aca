// Signals that end a program: INT, TERM, HUP, QUIT, XCPU.
//
// While nothing is computed that could be kept, such a signal removes temporary files and ends the program as
// it would without us. Then it asks the computation to end with what it has; further ones are the same wish,
// but for Ctrl-C or Ctrl-\ after more than a second, when somebody no longer wants to wait.
#pragma once

#include <functional>
#include <mutex>
#include <thread>

namespace dalembert::app {

void listen_to_signals();
/// From now on there is something to keep, and somebody asks interrupt_asked().
void keep_what_is_computed();
bool interrupt_asked();

/// A step of a large model may take minutes. Where work has not ended within half a second of a signal,
/// `save` is called by a thread of its own, and the program ends with the status that it returns.
class LastResort {
 public:
  explicit LastResort(std::function<int()> save);
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;
  ~LastResort();

  /// Until then signals are left to the work. A further thread makes all memory slower: short runs have none.
  void begin();
  /// While the work changes what `save` reads; never released once that has begun.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }
  /// The work has ended: `save` will not be called.
  void dismiss();

 private:
  void wait();
  bool is_dismissed();
  [[noreturn]] void end_with_what_is_saved();

  std::function<int()> save_;
  std::mutex mutex_;
  bool dismissed_ = false;
  std::thread thread_;
};

/// Nobody reads standard output any more: ends the program as `cat` ends in `cat file | head`, by SIGPIPE.
[[noreturn]] void end_without_reader();

}  // namespace dalembert::app

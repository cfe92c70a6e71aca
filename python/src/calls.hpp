// What runs beside Python: without its lock, and interruptible.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <optional>

#include <nanobind/nanobind.h>

#include <dalembert/solve/options.hpp>

namespace dalembert::python {

namespace nb = nanobind;

/// Python's signals and a user's callbacks, from within a call that runs without Python's lock. What a
/// callback throws ends the call and is thrown again at its end.
class Visitor {
 public:
  /// Looks for signals, at most every hundredth of a second; false: stop.
  bool go_on() {
    if (stopped_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(10)) return true;
    asked_ = now;
    return visit([] { return true; });
  }

  /// Calls a function of Python's; false where it says False, or throws, or somebody pressed Ctrl-C.
  template <class Call>
  bool visit(const Call& call) {
    const nb::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      stopped_ = stopped_ || !call();
    } catch (nb::python_error& error) {
      stopped_ = true;
      if (error.matches(PyExc_KeyboardInterrupt)) {
        interrupted_ = true;
      } else {
        thrown_.emplace(error);
      }
    } catch (const nb::cast_error&) {
      stopped_ = true;
      refused_ = true;
    }
    return !stopped_;
  }

  /// With Python's lock again.
  void rethrow() {
    if (thrown_) throw nb::python_error(*thrown_);
    if (refused_) throw nb::type_error("a callback must return True, False or None");
  }
  /// By Ctrl-C.
  bool interrupted() const { return interrupted_; }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  std::optional<nb::python_error> thrown_;
  bool stopped_ = false;
  bool interrupted_ = false;
  bool refused_ = false;
};

/// What a callback answers: only False stops.
inline bool is_not_false(const nb::object& answer) { return answer.ptr() != Py_False; }

}  // namespace dalembert::python

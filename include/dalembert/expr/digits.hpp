// The precision of Real as a scope.
#pragma once

#include <mutex>

#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// Real numbers that are made while this lives have so many decimal digits; the precision before comes back
/// at its end. Boost 1.74 keeps one default for the whole process: a scope waits for those of other threads
/// to end. So no thread may wait, within a scope, for another one that opens a scope.
class DigitsScope {
 public:
  explicit DigitsScope(unsigned digits) : lock_(turn()), before_(Real::default_precision()) {
    Real::default_precision(digits);
  }
  ~DigitsScope() { Real::default_precision(before_); }
  DigitsScope(const DigitsScope&) = delete;
  DigitsScope& operator=(const DigitsScope&) = delete;

 private:
  static std::recursive_mutex& turn() {
    static std::recursive_mutex mutex;
    return mutex;
  }

  std::scoped_lock<std::recursive_mutex> lock_;
  unsigned before_;
};

}  // namespace dalembert

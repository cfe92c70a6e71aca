// The precision of Real as a scope.
#pragma once

#include <dalembert/expr/real.hpp>

namespace dalembert {

/// Real numbers that this thread makes while this lives have so many decimal digits; the precision before
/// comes back at its end. Other threads keep their own.
class DigitsScope {
 public:
  explicit DigitsScope(unsigned digits) : before_(Real::default_precision()) {
    Real::default_precision(digits);
  }
  ~DigitsScope() { Real::default_precision(before_); }
  DigitsScope(const DigitsScope&) = delete;
  DigitsScope& operator=(const DigitsScope&) = delete;

 private:
  unsigned before_;
};

}  // namespace dalembert

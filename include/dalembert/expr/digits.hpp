// The precision of Real as a scope.
#pragma once

#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// Real numbers that are made while this lives have so many decimal digits; the precision before comes back
/// at its end. Boost keeps one default for the whole process, so scopes of two threads must not overlap.
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

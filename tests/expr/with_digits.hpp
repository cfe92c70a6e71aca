// The precision of Real in a test.
#pragma once

#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// Real numbers have this many digits while it lives.
class WithDigits {
 public:
  explicit WithDigits(unsigned digits) : before_(Real::default_precision()) {
    Real::default_precision(digits);
  }
  ~WithDigits() { Real::default_precision(before_); }
  WithDigits(const WithDigits&) = delete;
  WithDigits& operator=(const WithDigits&) = delete;

 private:
  unsigned before_;
};

}  // namespace dalembert

// Every function, and calls of something with the unit of one.
#pragma once

#include <dalembert/base/error.hpp>
#include <dalembert/expr/functions/abs.hpp>
#include <dalembert/expr/functions/asin_acos.hpp>
#include <dalembert/expr/functions/atan.hpp>
#include <dalembert/expr/functions/atan2.hpp>
#include <dalembert/expr/functions/erf.hpp>
#include <dalembert/expr/functions/exp.hpp>
#include <dalembert/expr/functions/log.hpp>
#include <dalembert/expr/functions/min_max.hpp>
#include <dalembert/expr/functions/sign.hpp>
#include <dalembert/expr/functions/sin_cos.hpp>
#include <dalembert/expr/functions/sinh_cosh.hpp>
#include <dalembert/expr/functions/tan.hpp>
#include <dalembert/expr/functions/tanh.hpp>

namespace dalembert {

/// f(unit), whose result is of the same type for all.
template <class F>
decltype(auto) with_function(Function function, F f) {
  switch (function) {
#define DALEMBERT_CASE(name, Unit) \
  case Function::name:             \
    return f(functions::Unit{});
    DALEMBERT_FUNCTIONS(DALEMBERT_CASE, DALEMBERT_CASE)
#undef DALEMBERT_CASE
  }
  throw Error("no such function");
}

}  // namespace dalembert

// What a call throws.
#pragma once

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>

namespace dalembert::session {

/// The Error; a failure of the test where there is none.
template <class Call>
Error failure(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error("nothing was thrown");
}

}  // namespace dalembert::session

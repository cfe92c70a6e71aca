// Where a program of tests keeps compiled code.
#pragma once

#include <cstdlib>

#include <gtest/gtest.h>

namespace dalembert::test {

// Not the user's cache; code that was compiled by an earlier run of the tests serves again.
class CacheOfTests : public ::testing::Environment {
 public:
  void SetUp() override { setenv("XDG_CACHE_HOME", DALEMBERT_BINARY_DIR "/cache", 1); }
};
inline const auto* const cache_of_tests = ::testing::AddGlobalTestEnvironment(new CacheOfTests);

}  // namespace dalembert::test

#include <cstdio>
#include <string>

#include <dalembert/base/error.hpp>

int main() {
  try {
    throw dalembert::Error("unknown name 'x'", {"model.toml", 3, 7});
  } catch (const dalembert::Error& error) {
    std::puts(error.what());
    return std::string(error.what()) == "model.toml:3:7: error: unknown name 'x'" ? 0 : 1;
  }
}

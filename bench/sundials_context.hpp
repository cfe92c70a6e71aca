#pragma once
// The context object every SUNDIALS object belongs to, for SUNDIALS 6 and 7.

#include <stdexcept>

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

namespace dalembert::bench {

inline void require(int flag) {
  if (flag < 0) throw std::runtime_error("SUNDIALS refused a setting");
}

class SundialsContext {
 public:
  SundialsContext() {
#if SUNDIALS_VERSION_MAJOR >= 7
    require(SUNContext_Create(SUN_COMM_NULL, &context_));
#else
    require(SUNContext_Create(nullptr, &context_));
#endif
  }
  ~SundialsContext() { SUNContext_Free(&context_); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

}  // namespace dalembert::bench

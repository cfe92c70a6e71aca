// Counts every allocation of a test program. Include it in one source file of the program: it replaces
// operator new.
#pragma once
// NOLINTBEGIN(misc-definitions-in-headers, cppcoreguidelines-no-malloc): that is what it is for

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace dalembert::testing {

inline std::atomic<std::size_t> allocations{0};

// AddressSanitizer has its own operator new, which must stay.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool counts_allocations = false;
}  // namespace dalembert::testing
#else
inline constexpr bool counts_allocations = true;

// Not inlined: GCC takes free() on memory of a replaced operator new for a mismatch where it sees both.
[[gnu::noinline]] inline void* counted_allocation(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] inline void release(void* memory) noexcept { std::free(memory); }

}  // namespace dalembert::testing

void* operator new(std::size_t size) {
  return dalembert::testing::counted_allocation(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return dalembert::testing::counted_allocation(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { dalembert::testing::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { dalembert::testing::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { dalembert::testing::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  dalembert::testing::release(memory);
}
#endif
// NOLINTEND(misc-definitions-in-headers, cppcoreguidelines-no-malloc)

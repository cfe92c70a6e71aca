#include "memory.hpp"

#include <cstddef>
#include <cstdlib>

#include <gmp.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

void* found(void* memory) {
  if (memory != nullptr) return memory;
  remove_unfinished_files();
  say("dalembert: not enough memory\n");
  _exit(stopped_early);
}

void* allocate(std::size_t size) { return found(std::malloc(size)); }
void* reallocate(void* old, std::size_t, std::size_t size) { return found(std::realloc(old, size)); }
void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void end_in_order_without_memory() {
  mp_set_memory_functions(allocate, reallocate, release);
  rlimit addresses{};
  const bool limited = getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
  if (limited) mallopt(M_ARENA_MAX, 1);  // else each thread reserves 64 MB of them
}

}  // namespace dalembert::app

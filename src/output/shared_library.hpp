// A library that is loaded when it is first needed. HDF5 brings forty others with it, which would otherwise
// be loaded at the start of every program that links Dalembert, and take longer than most runs.
#pragma once

#include <string>

#include <dlfcn.h>

#include <dalembert/base/error.hpp>

namespace dalembert {

class SharedLibrary {
 public:
  /// Throws Error.
  explicit SharedLibrary(const char* path) : handle_(dlopen(path, RTLD_LAZY | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw Error(std::string("a library is missing: ") + dlerror());
  }

  /// Fills a pointer to a function or to a variable.
  template <class T>
  void find(const char* name, T*& target) const {
    target = reinterpret_cast<T*>(dlsym(handle_, name));
    if (target == nullptr) throw Error(std::string("a library does not fit: ") + dlerror());
  }

 private:
  void* handle_;  // stays loaded until the program ends
};

}  // namespace dalembert

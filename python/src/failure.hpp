// What goes wrong, as Python's exceptions.
#pragma once

#include <dalembert/base/error.hpp>

namespace dalembert::python {

/// What is wrong with a model, rather than with a call: dalembert.ModelError.
class ModelFailure : public Error {
 public:
  explicit ModelFailure(const Error& error) : Error(error.message(), error.where(), error.excerpt()) {}
};

/// Calls work(); its errors are those of a model.
template <class Work>
auto blame_model(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw ModelFailure(error);
  }
}

/// Errors of the library become exceptions of the module dalembert._errors.
void translate_errors();

}  // namespace dalembert::python

#include "failure.hpp"

#include <exception>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <dalembert/output/atomic_file.hpp>

namespace nb = nanobind;

namespace dalembert::python {
namespace {

// A place in the text makes it an error of the model, wherever it was found.
void raise(const char* name, const Error& error) {
  const nb::object type = nb::module_::import_("dalembert._errors").attr(name);
  const SourceLocation& where = error.where();
  const nb::object exception = type(error.message(), where.file, where.line, where.column, error.excerpt());
  PyErr_SetObject(type.ptr(), exception.ptr());
}

void translate(const std::exception_ptr& pointer, void* /*unused*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const nb::cast_error&) {
    PyErr_SetString(PyExc_TypeError, "an argument is of another type than it must be");
  } catch (const OutputError& error) {
    PyErr_SetString(PyExc_OSError, error.message().c_str());
  } catch (const ModelFailure& error) {
    raise("ModelError", error);
  } catch (const Error& error) {
    raise(error.where().line > 0 ? "ModelError" : "SolveError", error);
  }
}

}  // namespace

void translate_errors() { nb::register_exception_translator(translate); }

}  // namespace dalembert::python

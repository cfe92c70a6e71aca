// M, f, C, c, g, γ at many states.
#include <cstddef>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <dalembert/session/state_matrices.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "model_handle.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

const std::vector<double>& part_of(const session::StateMatrices& matrices, const std::string& symbol) {
  if (symbol == "M") return matrices.M;
  if (symbol == "f") return matrices.f;
  if (symbol == "C") return matrices.C;
  if (symbol == "c") return matrices.c;
  if (symbol == "g") return matrices.g;
  if (symbol == "gamma") return matrices.gamma;
  throw nb::value_error("the matrices are M, f, C, c, g, gamma");
}

class Matrices {
 public:
  explicit Matrices(const ModelHandle& model) : matrices_(*model) {}

  // A row per state: t of length k, q and v of k rows of n.
  Array eval(const std::string& symbol, const Numbers& t, const Numbers& q, const Numbers& v) {
    const std::size_t n = matrices_.f.size();
    const std::size_t count = t.size();
    if (q.size() != count * n || v.size() != count * n)
      throw nb::value_error("q and v need n values per time");
    const std::vector<double>& part = part_of(matrices_, symbol);
    std::vector<double> values;
    values.reserve(count * part.size());
    for (std::size_t i = 0; i < count; ++i) {
      matrices_.eval(t.data()[i], span_of(q).subspan(i * n, n), span_of(v).subspan(i * n, n));
      values.insert(values.end(), part.begin(), part.end());
    }
    return make_array(std::move(values), {count, part.size()});
  }

 private:
  session::StateMatrices matrices_;
};

}  // namespace

void bind_matrices(nb::module_& module) {
  // With Python's lock: one evaluation is a matter of nanoseconds, and the object is not for two threads.
  nb::class_<Matrices>(module, "Matrices").def(nb::init<const ModelHandle&>()).def("eval", &Matrices::eval);
}

}  // namespace dalembert::python

#include "multistep/sundials_vector.hpp"

#ifdef DALEMBERT_HAS_SUNDIALS

#include <cmath>
#include <cstring>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {
namespace {

using SimdRegister = Lanes<native_lanes>;

SimdRegister load(const double* from) {
  SimdRegister x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
void store(double* to, const SimdRegister& x) { std::memcpy(to, &x, sizeof x); }

double* data(N_Vector x) { return static_cast<N_VectorContent_Serial>(x->content)->data; }
sunindextype length(N_Vector x) { return static_cast<N_VectorContent_Serial>(x->content)->length; }

void set_constant(sunrealtype value, N_Vector z) {
  double* const out = data(z);
  const SimdRegister all = SimdRegister{} + value;
  for (sunindextype i = 0, end = length(z); i < end; i += native_lanes) store(out + i, all);
}

void scale(sunrealtype factor, N_Vector x, N_Vector z) {
  const double* const in = data(x);
  double* const out = data(z);
  for (sunindextype i = 0, end = length(z); i < end; i += native_lanes) store(out + i, factor * load(in + i));
}

void add(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  const double* const left = data(x);
  const double* const right = data(y);
  double* const out = data(z);
  for (sunindextype i = 0, end = length(z); i < end; i += native_lanes)
    store(out + i, a * load(left + i) + b * load(right + i));
}

sunrealtype norm(N_Vector x, N_Vector weights) {
  const double* const in = data(x);
  const double* const weight = data(weights);
  SimdRegister sum{};
  for (sunindextype i = 0, end = length(x); i < end; i += native_lanes) {
    const SimdRegister part = load(in + i) * load(weight + i);
    sum += part * part;
  }
  double square = 0;
  for (int lane = 0; lane < native_lanes; ++lane) square += sum[lane];
  return std::sqrt(square / static_cast<double>(length(x)));
}

int combine(int count, sunrealtype* factors, N_Vector* x, N_Vector z) {
  double* const out = data(z);
  for (sunindextype i = 0, end = length(z); i < end; i += native_lanes) {
    SimdRegister sum = factors[0] * load(data(x[0]) + i);
    for (int k = 1; k < count; ++k) sum += factors[k] * load(data(x[k]) + i);
    store(out + i, sum);
  }
  return 0;
}

int scale_each(int count, sunrealtype* factors, N_Vector* x, N_Vector* z) {
  for (int k = 0; k < count; ++k) scale(factors[k], x[k], z[k]);
  return 0;
}

int add_each(int count, sunrealtype a, N_Vector* x, sunrealtype b, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) add(a, x[k], b, y[k], z[k]);
  return 0;
}

int add_to_each(int count, sunrealtype* factors, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) add(factors[k], x, 1, y[k], z[k]);
  return 0;
}

}  // namespace

N_Vector make_sundials_vector(std::size_t size, SUNContext context) {
  constexpr std::size_t lanes = native_lanes;
  const std::size_t padded = (size + lanes - 1) / lanes * lanes;
  const N_Vector vector = N_VNew_Serial(static_cast<sunindextype>(padded), context);
  N_Vector_Ops ops = vector->ops;
  ops->nvconst = set_constant;
  ops->nvscale = scale;
  ops->nvlinearsum = add;
  ops->nvwrmsnorm = norm;
  ops->nvlinearcombination = combine;
  ops->nvscalevectorarray = scale_each;
  ops->nvlinearsumvectorarray = add_each;
  ops->nvscaleaddmulti = add_to_each;
  set_constant(0, vector);
  return vector;
}

}  // namespace dalembert

#endif

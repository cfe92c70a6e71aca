#pragma once
// The operations of IDA's inner loop on serial vectors, compiled here with optimization for this machine.
// Debian builds SUNDIALS without any (-O0), so that its own take most of the time of a small system.

#include <cmath>
#include <cstddef>

#include <nvector/nvector_serial.h>

namespace dalembert::bench {

namespace fast_vector {

inline double* data(N_Vector x) { return static_cast<N_VectorContent_Serial>(x->content)->data; }
inline sunindextype length(N_Vector x) { return static_cast<N_VectorContent_Serial>(x->content)->length; }

inline void fill(sunrealtype value, N_Vector z) {
  double* const out = data(z);
  for (sunindextype i = 0, n = length(z); i < n; ++i) out[i] = value;
}

inline void scale(sunrealtype factor, N_Vector x, N_Vector z) {
  const double* const in = data(x);
  double* const out = data(z);
#pragma GCC ivdep
  for (sunindextype i = 0, n = length(z); i < n; ++i) out[i] = factor * in[i];
}

inline void add(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  const double *const left = data(x), *const right = data(y);
  double* const out = data(z);
#pragma GCC ivdep
  for (sunindextype i = 0, n = length(z); i < n; ++i) out[i] = a * left[i] + b * right[i];
}

inline sunrealtype norm(N_Vector x, N_Vector weights) {
  const double *const in = data(x), *const weight = data(weights);
  const sunindextype n = length(x);
  double sum[4] = {};  // four at a time, since one sum would wait for itself
  for (sunindextype i = 0; i < n; ++i) {
    const double part = in[i] * weight[i];
    sum[i % 4] += part * part;
  }
  return std::sqrt((sum[0] + sum[1] + sum[2] + sum[3]) / static_cast<double>(n));
}

inline int combine(int count, sunrealtype* factors, N_Vector* x, N_Vector z) {
  scale(factors[0], x[0], z);  // z may be x[0], no other
  for (int k = 1; k < count; ++k) add(factors[k], x[k], 1, z, z);
  return 0;
}

inline int scale_each(int count, sunrealtype* factors, N_Vector* x, N_Vector* z) {
  for (int k = 0; k < count; ++k) scale(factors[k], x[k], z[k]);
  return 0;
}

inline int add_each(int count, sunrealtype a, N_Vector* x, sunrealtype b, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) add(a, x[k], b, y[k], z[k]);
  return 0;
}

}  // namespace fast_vector

/// Clones of the vector have them too.
inline void use_fast_operations(N_Vector vector) {
  N_Vector_Ops ops = vector->ops;
  ops->nvconst = fast_vector::fill;
  ops->nvscale = fast_vector::scale;
  ops->nvlinearsum = fast_vector::add;
  ops->nvwrmsnorm = fast_vector::norm;
  ops->nvlinearcombination = fast_vector::combine;
  ops->nvscalevectorarray = fast_vector::scale_each;
  ops->nvlinearsumvectorarray = fast_vector::add_each;
}

}  // namespace dalembert::bench

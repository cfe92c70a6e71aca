// The columns of a result: their names and their values in a sample, in one order for every file format.
//
//   t | q: x | v: x' | a: x'' | λ: lambda(name) | outputs by name | kinetic potential energy work
//     | residuals: g(name) of holonomic constraints, gv(name) = (C v + c) of all
#pragma once

#include <string>
#include <vector>

#include <dalembert/model/model.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

std::vector<std::string> column_names(const ModelData& model);

/// The values of a sample in the order of column_names.
template <class S>
void fill_row(const Sample<S>& sample, std::vector<S>& row) {
  row.clear();
  row.push_back(sample.t);
  for (const auto& part : {sample.q, sample.v, sample.a, sample.lambda, sample.outputs}) {
    row.insert(row.end(), part.begin(), part.end());
  }
  row.insert(row.end(), {sample.kinetic, sample.potential, sample.energy, sample.work});
  row.insert(row.end(), sample.position_residual.begin(), sample.position_residual.end());
  row.insert(row.end(), sample.velocity_residual.begin(), sample.velocity_residual.end());
}

}  // namespace dalembert

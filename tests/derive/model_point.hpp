// Values of a model's symbols at random points near its start.
#pragma once

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert::test {

inline Model shipped_model(const std::string& name) {
  return read_model(std::string(DALEMBERT_SOURCE_DIR) + "/models/" + name + ".toml");
}

/// q, v, a and t; a curve through them is q + v s + a s²/2 at the time t + s.
template <class S>
struct ModelPoint {
  S t{};
  std::vector<S> q, v, a;
};

template <class S>
std::unordered_map<NodeId, S> parameter_values(const ModelData& model) {
  std::unordered_map<NodeId, S> values;
  for (const Parameter& parameter : model.parameters) {
    values.emplace(parameter.symbol.id(), evaluate<S>(parameter.value, values));
  }
  return values;
}

template <class S>
ModelPoint<S> random_point(const ModelData& model, unsigned seed) {
  std::mt19937 generator(seed);
  const auto uniform = [&] { return S(static_cast<int>(generator() % 2001) - 1000) / 1000; };
  const auto parameters = parameter_values<S>(model);
  ModelPoint<S> point;
  point.t = S(model.solve.start()) + uniform() / 10;
  for (const Coordinate& coordinate : model.coordinates) {
    point.q.push_back(evaluate<S>(coordinate.position, parameters) + uniform() / 10);
    point.v.push_back(evaluate<S>(coordinate.velocity, parameters) + uniform());
    point.a.push_back(uniform());
  }
  return point;
}

/// The values of all symbols on the curve.
template <class S>
std::unordered_map<NodeId, S> values_on_curve(const ModelData& model, const ModelPoint<S>& point,
                                              const S& s) {
  std::unordered_map<NodeId, S> values = parameter_values<S>(model);
  values[model.time.id()] = point.t + s;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    values[model.coordinates[i].q.id()] = point.q[i] + point.v[i] * s + point.a[i] * s * s / 2;
    values[model.coordinates[i].v.id()] = point.v[i] + point.a[i] * s;
  }
  for (const HeldSign& sign : model.held_signs) values[sign.symbol.id()] = S(1);
  return values;
}

}  // namespace dalembert::test

// Expressions of parameters: masses, lengths, points, start values.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <dalembert/draft/draft.hpp>
#include <dalembert/draft/reporter.hpp>
#include <dalembert/expr/graph.hpp>

#include "vector.hpp"

namespace dalembert {

class Constants {
 public:
  /// All three must outlive this.
  Constants(Graph& graph, ModelDraft& draft, const Reporter& report);

  /// Throws Error at its place where it is no expression of parameters or has no finite value.
  Expr expression(const Text& text, const std::string& label) const;
  double value(Expr e) const;

  /// A short expression as it is, else a new parameter of that name with this value.
  Expr named(const std::string& name, Expr e);
  Vector named(const std::string& name, const Vector& v);

 private:
  Graph& graph_;
  ModelDraft& draft_;
  const Reporter& report_;
  std::vector<std::string> names_;
  std::unordered_map<NodeId, double> values_;
};

}  // namespace dalembert

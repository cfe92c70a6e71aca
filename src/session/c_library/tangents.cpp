// Directional derivatives: the programs of the terms and of what is observed, with order 1 along a direction.
// Parameters are inputs of them like t and q.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "library_writer.hpp"

namespace dalembert::session {
namespace {

void replace_order(std::string& text) {
  for (std::size_t at = text.find("[k]"); at != std::string::npos; at = text.find("[k]", at))
    text.replace(at, 3, "[1]");
  for (std::size_t at = text.find(", k)"); at != std::string::npos; at = text.find(", k)", at))
    text.replace(at, 4, ", 1)");
}

}  // namespace

// Values and directions of the parameters that occur, and the program at orders 0 and 1.
std::string LibraryWriter::tangent_lines(CProgram& tangent, const Program& program,
                                         std::size_t first_parameter) {
  std::string lines;
  for (std::size_t i = 0; i < names_.parameters.size(); ++i) {
    const Register r = program.inputs[first_parameter + i];
    if (r == no_register) continue;
    lines += fmt::format("  s[{0}][0] = w->p.{1};\n  s[{0}][1] = dp->{1};\n", tangent.row(r),
                         names_.parameters[i]);
  }
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration})
    lines += tangent.order_zero(stage);
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) {
    std::string order_one = tangent.order_k(stage);
    replace_order(order_one);
    lines += order_one;
  }
  return lines;
}

std::string LibraryWriter::state_tangent_function() {
  const std::size_t n = system_.n();
  const std::vector<Scaled>& outputs = state_tangent_program_.outputs;
  const auto at_one = [&](std::size_t i) { return state_tangent_.at_order(outputs[i], "1"); };
  const auto& M = equations_.M.entries;
  const auto& C = equations_.C.entries;
  std::string lines = tangent_lines(state_tangent_, state_tangent_program_, 1 + 2 * n);
  const std::size_t f = M.size() + C.size();
  for (std::size_t i = 0; i < n; ++i)
    lines += fmt::format("  w->right[{0}] = {1};\n  w->force_tangent[{0}] = 0.0;\n", i, at_one(f + i));
  for (std::size_t r = 0; r < active_.size(); ++r)
    lines += fmt::format("  w->right[N + {}] = {};\n", r, at_one(f + n + active_[r]));
  const auto subtract = [&](const std::string& target, const std::string& value, const std::string& factor) {
    if (value != "0.0") lines += fmt::format("  {} -= ({})*{};\n", target, value, factor);
  };
  for (std::size_t k = 0; k < M.size(); ++k)
    subtract(fmt::format("w->right[{}]", M[k].row), at_one(k), fmt::format("place->a[{}]", M[k].column));
  for (std::size_t k = 0; k < C.size(); ++k) {
    const std::string value = at_one(M.size() + k);
    subtract(fmt::format("w->force_tangent[{}]", C[k].column), value,
             fmt::format("place->lambda[{}]", C[k].row));
    const auto row = std::find(active_.begin(), active_.end(), C[k].row);
    if (row != active_.end())
      subtract(fmt::format("w->right[N + {}]", row - active_.begin()), value,
               fmt::format("place->a[{}]", C[k].column));
  }
  lines += "  for (i = 0; i < N; ++i) { w->right[i] += w->force_tangent[i]; }\n";
  return "/* How the right-hand sides change: f' - M' a - C'' lambda, gamma' - C' a with ' along the "
         "direction. */\n"
         "static void state_tangent(@p_work *w, const @p_state *place, const @p_parameters *dp)\n{\n"
         "  double (*const s)[2] = w->d;\n" +
         locals_of(lines, "c_state_tangent") + "  int i;\n  (void)place;\n  (void)dp;\n" + lines + "}\n\n";
}

std::string LibraryWriter::observe_tangent_function() {
  const std::size_t n = system_.n();
  std::string lines;
  const auto row = [&](std::size_t input) {
    return observed_tangent_.row(observed_tangent_program_.inputs[input]);
  };
  const auto add = [&](std::size_t input, const std::string& name) {
    lines += fmt::format("  s[{0}][0] = place->{1};\n  s[{0}][1] = d->{1};\n", row(input), name);
  };
  add(0, "t");
  for (std::size_t i = 0; i < n; ++i) {
    add(1 + i, fmt::format("q[{}]", i));
    add(1 + n + i, fmt::format("v[{}]", i));
    add(1 + 2 * n + i, fmt::format("a[{}]", i));
  }
  for (std::size_t j = 0; j < system_.m(); ++j) add(1 + 3 * n + j, fmt::format("lambda[{}]", j));
  lines += tangent_lines(observed_tangent_, observed_tangent_program_, 1 + 3 * n + system_.m());
  const std::vector<Scaled>& outputs = observed_tangent_program_.outputs;
  const auto at_one = [&](std::size_t i) { return observed_tangent_.at_order(outputs[i], "1"); };
  lines += fmt::format("  o->kinetic = {};\n  o->potential = {};\n", at_one(0), at_one(1));
  for (std::size_t k = 0; k < names_.outputs.size(); ++k)
    lines += fmt::format("  o->output[{}] = {};\n", names_.outputs[k], at_one(2 + k));
  return "void @p_observe_tangent(@p_work *w, const @p_state *place, const @p_parameters *dp, const @p_state "
         "*d, "
         "@p_observed *o)\n{\n  double (*const s)[2] = w->d;\n" +
         locals_of(lines, "c_observed_tangent") + "  int i;\n  int j;\n  (void)dp;\n" + lines +
         "  for (i = 0; i < N; ++i) {\n    o->force[i] = w->force_tangent[i];\n"
         "    for (j = 0; j < M; ++j) { o->force[i] -= w->terms.C[j][i]*d->lambda[j]; }\n  }\n}\n\n";
}

std::string LibraryWriter::tangent_functions() {
  return state_tangent_function() + derivatives_text + observe_tangent_function();
}

}  // namespace dalembert::session

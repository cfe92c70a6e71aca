// model.c
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/codegen/c_names.hpp>
#include <dalembert/expr/print.hpp>

#include "library_writer.hpp"

namespace dalembert::session {

// The struct of parameters, not dp, a direction of it.
bool uses_parameters(const std::string& lines) {
  for (std::size_t at = lines.find("p->"); at != std::string::npos; at = lines.find("p->", at + 1))
    if (at == 0 || lines[at - 1] != 'd') return true;
  return false;
}

std::string locals_of(const std::string& lines, const std::string& array) {
  std::string text;
  if (uses_parameters(lines)) text += "  const @p_parameters *const p = &w->p;\n";
  if (lines.find("derived[") != std::string::npos)
    text += "  const double *const derived = w->" + array + ";\n";
  return text;
}

namespace {

std::string with_locals(const std::string& lines, const std::string& array, const std::string& series = {}) {
  std::string text = locals_of(lines, array);
  if (!series.empty() && lines.find("s[") != std::string::npos) text = "  " + series + "\n" + text;
  if (text.empty() && lines.find("w->") == std::string::npos) text += "  (void)w;\n";
  return text + lines;
}

constexpr const char* series_local = "double (*const s)[@P_ORDER + 2] = w->s;";

std::string one_order(const char* name, const std::string& lines, const std::string& series) {
  return fmt::format("static void {}(@p_work *w)\n{{\n{}}}\n\n", name,
                     with_locals(lines, "c_series", series));
}

std::string any_order(const char* name, const std::string& lines, const std::string& array,
                      const std::string& series) {
  const std::string unused =
      lines.find("k]") == std::string::npos && lines.find(", k)") == std::string::npos ? "  (void)k;\n" : "";
  return fmt::format("static void {}(@p_work *w, int k)\n{{\n{}{}}}\n\n", name,
                     with_locals(lines, array, series), unused);
}

std::string matrix_lines(const std::vector<MatrixEntry>& entries, const char* name,
                         const std::vector<std::string>& values, std::size_t first) {
  std::string lines;
  for (std::size_t i = 0; i < entries.size(); ++i)
    lines += fmt::format("  w->terms.{}[{}][{}] = {};\n", name, entries[i].row, entries[i].column,
                         values[first + i]);
  return lines;
}

}  // namespace

std::string LibraryWriter::parameter_functions() {
  const ModelData& model = system_.model();
  std::vector<Expr> values;
  for (const Parameter& parameter : model.parameters) values.push_back(parameter.value);
  std::string given, derived;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // in order: each may use those before
    const CExpressions written =
        write_expressions(std::span(&values[i], 1), symbols_, fmt::format("e{}_", i));
    const bool is_given = written.values[0].find("p->") == std::string::npos && written.lines.empty();
    const std::string line = fmt::format("  p->{} = {};\n", names_.parameters[i],
                                         is_given ? c_number(parameter_values_[i]) : written.values[0]);
    (is_given ? given : derived) += (is_given ? "" : written.lines) + line;
  }
  if (values.empty()) given = "  p->none = 0.0;\n";
  for (const char* name : {"sign_of", "lesser", "greater"})
    if (derived.find(std::string(name) + "(") != std::string::npos) helpers_.need(name);
  return fmt::format(
      "/* ---- parameters ---- */\n\n"
      "void @p_derive_parameters(@p_parameters *p)\n{{\n{}}}\n\n"
      "void @p_default_parameters(@p_parameters *p)\n{{\n{}  @p_derive_parameters(p);\n}}\n\n",
      derived.empty() ? "  (void)p;\n" : derived, given);
}

std::string LibraryWriter::start_values() {
  const ModelData& model = system_.model();
  std::vector<Expr> values;
  for (const Coordinate& coordinate : model.coordinates) values.push_back(coordinate.position);
  for (const Coordinate& coordinate : model.coordinates) values.push_back(coordinate.velocity);
  const CExpressions written = write_expressions(values, symbols_, "e");
  std::string lines = written.lines + "  s->t = @P_START_TIME;\n";
  const std::size_t n = system_.n();
  for (std::size_t i = 0; i < n; ++i) {
    lines += fmt::format("  s->q[{0}] = {1};\n  s->v[{0}] = {2};\n  s->a[{0}] = 0.0;\n",
                         names_.coordinates[i], written.values[i], written.values[n + i]);
  }
  if (system_.m() > 0) lines += "  for (j = 0; j < M; ++j) { s->lambda[j] = 0.0; }\n";
  for (const char* name : {"sign_of", "lesser", "greater"})
    if (lines.find(std::string(name) + "(") != std::string::npos) helpers_.need(name);
  return fmt::format("void @p_start_values(const @p_parameters *p, @p_state *s)\n{{\n{}{}{}}}\n\n",
                     system_.m() > 0 ? "  int j;\n" : "",
                     lines.find("p->") == std::string::npos ? "  (void)p;\n" : "", lines);
}

std::vector<std::string> LibraryWriter::state_inputs() const {
  std::vector<std::string> inputs{"t"};
  for (std::size_t i = 0; i < system_.n(); ++i) inputs.push_back(fmt::format("q[{}]", i));
  for (std::size_t i = 0; i < system_.n(); ++i) inputs.push_back(fmt::format("v[{}]", i));
  return inputs;
}

std::string LibraryWriter::terms_function() {
  const StateProgram& p = system_.state();
  std::vector<Scaled> outputs;
  for (const MatrixEntry& entry : p.M) outputs.push_back(entry.value);
  for (const MatrixEntry& entry : p.C) outputs.push_back(entry.value);
  const auto add = [&](const std::vector<Scaled>& vector) {
    outputs.insert(outputs.end(), vector.begin(), vector.end());
  };
  for (const auto* vector : {&p.f, &p.c, &p.g, &p.gamma}) add(*vector);
  const CProgram::Values written = terms_.values(state_inputs(), outputs);
  std::string lines = written.lines + matrix_lines(p.M, "M", written.outputs, 0) +
                      matrix_lines(p.C, "C", written.outputs, p.M.size());
  std::size_t next = p.M.size() + p.C.size();
  const auto assign = [&](const char* name, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      lines += fmt::format("  w->terms.{}[{}] = {};\n", name, i, written.outputs[next++]);
  };
  assign("f", p.f.size());
  assign("c", p.c.size());
  assign("g", p.g.size());
  assign("gamma", p.gamma.size());
  std::string unused;
  for (const char* input : {"t", "q", "v"}) unused += fmt::format("  (void){};\n", input);
  return "/* ---- the terms of the equations; what is never set is zero ---- */\n\n"
         "void @p_evaluate(@p_work *w, double t, const double q[], const double v[])\n{\n" +
         with_locals(lines, "c_terms") + unused + "}\n\n";
}

std::string LibraryWriter::balance_function() {
  const DeterminedVelocities& determined = system_.determined_velocities();
  if (determined.empty()) {
    return "static void set_unbalanced_forces(@p_work *w, const @p_state *s)\n{\n  (void)w;\n  "
           "(void)s;\n}\n\n"
           "static @p_status balance_velocities(@p_work *w, @p_state *s)\n{\n  (void)w;\n  (void)s;\n  "
           "return "
           "@P_OK;\n}\n\n";
  }
  const CProgram::Values written = balance_.values(state_inputs(), balance_program_.outputs);
  std::string lines = written.lines;
  for (std::size_t i = 0; i < determined.coordinates.size(); ++i)
    lines += fmt::format("  w->right[{}] = {};\n", determined.coordinates[i], written.outputs[i]);
  return "/* Forces on coordinates without inertia must vanish: they determine their velocities. Their rows "
         "of M are\n"
         " * -df/dv, so that M dv = f is Newton's correction. */\n"
         "static void set_unbalanced_forces(@p_work *w, const @p_state *s)\n{\n  const double t = s->t;\n"
         "  const double *const q = s->q;\n  const double *const v = s->v;\n" +
         with_locals(lines, "c_balance") + "  (void)t;\n  (void)q;\n  (void)v;\n}\n\n" +
         R"(static @p_status balance_velocities(@p_work *w, @p_state *s)
{
  @p_status status = @P_OK;
  int correction;
  int i;
  for (correction = 0; (correction < 20) && (status == @P_OK); ++correction) {
    @p_evaluate(w, s->t, s->q, s->v);
    assemble(w);
    status = factor(w);
    for (i = 0; i < DIM; ++i) { w->right[i] = 0.0; }
    set_unbalanced_forces(w, s);
    if (status == @P_OK) { solve(w); }
    for (i = 0; (i < N) && (status == @P_OK); ++i) { s->v[i] += w->solution[i]; }
  }
  return status;
}

)";
}

std::string LibraryWriter::series_functions() {
  const DynamicsProgram& d = system_.dynamics();
  const ExpansionProgram& e = system_.expansion_program();
  std::string text =
      one_order("position_order_zero", series_.order_zero(Stage::position), series_local) +
      one_order("velocity_order_zero", series_.order_zero(Stage::velocity), series_local) +
      any_order("position_order", series_.order_k(Stage::position), "c_series", series_local) +
      any_order("velocity_order", series_.order_k(Stage::velocity), "c_series", series_local) +
      any_order("acceleration_order", series_.order_k(Stage::acceleration), "c_series", series_local);
  std::string lines;
  const auto set = [&](const std::vector<MatrixEntry>& entries, const char* name) {
    std::vector<std::string> values;
    for (const MatrixEntry& entry : entries) values.push_back(series_.at_zero(entry.value));
    lines += matrix_lines(entries, name, values, 0);
  };
  set(d.M, "M");
  set(d.C, "C");
  text += one_order("set_matrices", lines, series_local);
  std::string at_zero, at_k;
  const auto coefficient = [&](Register r, const char* order) {
    return r == no_register ? std::string("0.0") : series_.at_order({1, r}, order);
  };
  for (std::size_t i = 0; i < system_.n(); ++i) {
    at_zero += fmt::format("    w->right[{}] = {};\n", i, series_.at_zero(d.f[i]));
    at_k += fmt::format("    w->right[{}] = {};\n", i, coefficient(e.force[i], "k"));
  }
  std::string rows;
  for (std::size_t r = 0; r < active_.size(); ++r) {
    const std::string value = coefficient(e.constraint[active_[r]], "k + 1");
    rows +=
        fmt::format("  w->right[N + {}] = {};\n", r, value == "0.0" ? value : "-(double)(k + 1)*" + value);
  }
  text += any_order("set_right_side", "  if (k == 0) {\n" + at_zero + "  } else {\n" + at_k + "  }\n" + rows,
                    "c_series", series_local);
  return text;
}

std::string LibraryWriter::observe_function() {
  const ObservableProgram& p = system_.observables();
  std::vector<std::string> inputs = state_inputs();
  for (std::size_t i = 0; i < system_.n(); ++i) inputs.push_back(fmt::format("a[{}]", i));
  for (std::size_t j = 0; j < system_.m(); ++j) inputs.push_back(fmt::format("lambda[{}]", j));
  std::vector<Scaled> outputs{p.K, p.V};
  outputs.insert(outputs.end(), p.outputs.begin(), p.outputs.end());
  const CProgram::Values written = observed_.values(inputs, outputs);
  std::string lines = written.lines + fmt::format("  o->kinetic = {};\n  o->potential = {};\n",
                                                  written.outputs[0], written.outputs[1]);
  for (std::size_t k = 0; k < p.outputs.size(); ++k)
    lines += fmt::format("  o->output[{}] = {};\n", names_.outputs[k], written.outputs[2 + k]);
  std::string text =
      "/* ---- outputs, forces, energies ---- */\n\nstatic void set_outputs(const @p_work *w, const @p_state "
      "*s, "
      "@p_observed *o)\n{\n  const double t = s->t;\n";
  for (const char* name : {"q", "v", "a", "lambda"})
    text += fmt::format("  const double *const {0} = s->{0};\n", name);
  text += with_locals(lines, "c_observed") +
          "  (void)t;\n  (void)q;\n  (void)v;\n  (void)a;\n  (void)lambda;\n}\n\n";
  return text + R"(void @p_observe(@p_work *w, const @p_state *s, @p_observed *o)
{
  int i;
  int j;
  set_outputs(w, s, o);
  @p_evaluate(w, s->t, s->q, s->v);
  for (i = 0; i < N; ++i) {
    o->force[i] = 0.0;
    for (j = 0; j < M; ++j) { o->force[i] -= w->terms.C[j][i]*s->lambda[j]; }
  }
}

)";
}

std::string LibraryWriter::coordinate_tables() const {
  std::string text = fmt::format("/* The independent constraints. */\nstatic const int active[{}] = {{",
                                 std::max<std::size_t>(active_.size(), 1));
  for (std::size_t r = 0; r < active_.size(); ++r)
    text += (r > 0 ? ", " : "") + names_.constraints[active_[r]];
  text += active_.empty() ? "0};\n\n" : "};\n\n";
  text +=
      "/* How dear it is to move a coordinate at the start: guesses alone, then everything that is not "
      "fixed. */\n";
  const auto table = [&](const char* name, bool Coordinate::*is_guess) {
    text += fmt::format("static const double {}[2][N] = {{", name);
    for (const bool all : {false, true}) {
      text += all ? ",\n  {" : "\n  {";
      for (std::size_t i = 0; i < system_.n(); ++i) {
        const Coordinate& coordinate = system_.model().coordinates[i];
        const bool guess = coordinate.*is_guess;
        const bool stays = coordinate.fixed || (!all && !guess);
        text += fmt::format("{}{}", i > 0 ? ", " : "", stays ? "0.0" : guess ? "1e-3" : "1.0");
      }
      text += "}";
    }
    text += "};\n";
  };
  table("position_weight", &Coordinate::guess);
  table("velocity_weight", &Coordinate::guess_velocity);
  return text + "\n";
}

std::string LibraryWriter::source() {
  const std::string rows = fmt::format(
      "enum {{\n  N = @P_COORDINATES,\n  M = @P_CONSTRAINTS,\n  HOLONOMIC = @P_HOLONOMIC,\n  ROWS = "
      "@P_INDEPENDENT,\n  DIM = N + ROWS,\n  ORDER = @P_ORDER,\n  ROW_T = 0,\n  ROW_Q = 1,\n  ROW_V = 1 + "
      "N,\n  "
      "ROW_A = 1 + 2*N,\n  ROW_LAMBDA = 1 + 3*N{}\n}};\n\n",
      derivatives_ ? ",\n  TANGENT_ROW_T = 0,\n  TANGENT_ROW_Q = 1,\n  TANGENT_ROW_V = 1 + N" : "");
  std::string body = parameter_functions() + start_values() + terms_function() + linear_algebra_text +
                     balance_function() + motion_text + start_text + series_functions() + series_text +
                     branch_functions() + series_step_text + observe_function();
  if (derivatives_) body += tangent_functions();
  // constants last: only now it is known which are used
  std::string constants;
  const auto add = [&](CProgram& program, const std::string& array) {
    const std::string lines = program.constants();
    const bool has_parameters = lines.find("p->") != std::string::npos;
    if (lines.empty()) return std::string();
    constants +=
        fmt::format("static void set_{0}(const @p_parameters *p, double derived[])\n{{\n{1}{2}}}\n\n", array,
                    has_parameters ? "" : "  (void)p;\n", lines);
    return fmt::format("  set_{0}(&w->p, w->{0});\n", array);
  };
  std::string calls = add(terms_, "c_terms") + add(series_, "c_series") + add(observed_, "c_observed");
  if (!balance_program_.outputs.empty()) calls += add(balance_, "c_balance");
  if (derivatives_)
    calls += add(state_tangent_, "c_state_tangent") + add(observed_tangent_, "c_observed_tangent");
  const std::string setup = "void @p_set_parameters(@p_work *w, const @p_parameters *p)\n{\n  w->p = *p;\n" +
                            calls +
                            "}\n\nvoid @p_init(@p_work *w, const @p_parameters *p)\n{\n"
                            "  static const @p_work empty;\n  *w = empty;\n  @p_set_parameters(w, p);\n}\n\n";
  std::string text =
      fmt::format("/* {} */\n#include \"model.h\"\n\n#include <float.h>\n#include <math.h>\n\n",
                  c_comment(system_.model().title)) +
      rows + coordinate_tables() + helpers_.text() + constants + setup + body + message_text;
  return fill(text);
}

}  // namespace dalembert::session

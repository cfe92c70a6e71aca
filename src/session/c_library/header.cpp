// model.h
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <dalembert/codegen/c_names.hpp>
#include <dalembert/expr/print.hpp>

#include "library_writer.hpp"

namespace dalembert::session {
namespace {

constexpr const char* head_of_header = R"(/* @{title}
@{about} *
 *   M(t,q,v) a = f(t,q,v) - C(t,q)' lambda      g(t,q) = 0      C v + c = 0      C a = gamma(t,q,v)
 *
 * The rows of C are those of the holonomic constraints g, first, and then the nonholonomic ones.
 * Nothing here allocates memory, and all that is kept between two calls stands in structs of the caller: any number
 * of instances may run at the same time, in as many threads.
 */
#ifndef @P_MODEL_H
#define @P_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

)";

constexpr const char* types_of_header = R"(/* A place of the motion. */
typedef struct {
  double t;
  double q[@P_Q_SIZE];
  double v[@P_Q_SIZE];            /* dq/dt */
  double a[@P_Q_SIZE];            /* accelerations */
  double lambda[@P_LAMBDA_SIZE];  /* multipliers; zero for constraints that depend on others */
} @p_state;

/* The terms of the equations at a place. */
typedef struct {
  double M[@P_Q_SIZE][@P_Q_SIZE];
  double f[@P_Q_SIZE];
  double C[@P_LAMBDA_SIZE][@P_Q_SIZE];
  double c[@P_LAMBDA_SIZE];
  double g[@P_LAMBDA_SIZE];       /* of the holonomic constraints */
  double gamma[@P_LAMBDA_SIZE];
} @p_terms;

/* What is observed besides. */
typedef struct {
  double output[@P_OUTPUT_SIZE];  /* the model's outputs */
  double force[@P_Q_SIZE];        /* -C' lambda, the generalized constraint forces */
  double kinetic;
  double potential;
} @p_observed;

)";

constexpr const char* functions_of_header = R"(typedef enum {
  @P_OK = 0,
  @P_SINGULAR,      /* [M C'; C 0] is singular: constraints or inertia are lost here */
  @P_NOT_FINITE,    /* an expression has no value here */
  @P_INCONSISTENT,  /* no place was found that meets the constraints */
  @P_NO_PROGRESS,   /* steps became too small to go on */
  @P_INACCURATE     /* a fixed step is too long here; the state is at its end all the same */
} @p_status;

/* A sentence for a status. */
const char *@p_message(@p_status status);

/* The model's values of the parameters. */
void @p_default_parameters(@p_parameters *p);
/* Those that the model computes from others, again, after others were changed. */
void @p_derive_parameters(@p_parameters *p);

/* Prepares a workspace; must be called first. */
void @p_init(@p_work *w, const @p_parameters *p);
/* Other values of the parameters from now on. */
void @p_set_parameters(@p_work *w, const @p_parameters *p);

/* The model's start values as they are given, at its start time; @p_start() makes them consistent. */
void @p_start_values(const @p_parameters *p, @p_state *s);
/* Moves q and v as little as necessary until they meet the constraints, guesses first; then a and lambda. */
@p_status @p_start(@p_work *w, @p_state *s);

/* The terms at a place, into w->terms. */
void @p_evaluate(@p_work *w, double t, const double q[], const double v[]);
/* a and lambda from t, q and v. */
@p_status @p_accelerations(@p_work *w, @p_state *s);
/* Newton corrections of q and v back onto the constraints: a fixed number. */
@p_status @p_project(@p_work *w, @p_state *s);
/* Outputs, constraint forces and energies at a place whose a and lambda are known. */
void @p_observe(@p_work *w, const @p_state *s, @p_observed *o);

/* One step of the Adomian method of exactly h: expansion, evaluation, projection, accelerations. Its work does not depend
 * on the numbers: for real time. @p_last_term() tells how far the series had converged, @p_step_error() what the step
 * is worth; above @P_MOST_STEP_ERROR its status is @P_INACCURATE: the step is too long, or goes over a kink, or the
 * constraints nearly depend on each other there. */
@p_status @p_fixed_step(@p_work *w, @p_state *s, double h);
/* The last step's error: by how much the velocities of the series and of the equations differ at its end, or the last
 * term of the series, beside the velocities. */
double @p_step_error(const @p_work *w);
#define @P_MOST_STEP_ERROR (1e-3)
/* The largest last term of the last step's velocities, beside the largest velocity: about the error of the step. */
double @p_last_term(const @p_work *w);
)";

constexpr const char* series_of_header = R"(
/* One step of the Adomian method, of a length between zero and h_most that the last two coefficients of the series tell
 * for the relative error `tolerance`, taken back where the accelerations at its end contradict it. It ends at kinks and
 * jumps of abs, sign, min, max and atan2; where the motion stays on a jump, as friction sticks, it makes no progress. */
@p_status @p_series_step(@p_work *w, @p_state *s, double h_most, double tolerance);
/* Such steps until t is t_end. */
@p_status @p_advance(@p_work *w, @p_state *s, double t_end, double tolerance);
)";

constexpr const char* derivatives_of_header = R"(
/* Directional derivatives, exact. At a place whose a and lambda are known, how these change with t, q, v and
 * parameters: the direction stands in d->t, d->q, d->v and dp, the result comes into d->a and d->lambda. */
@p_status @p_accelerations_tangent(@p_work *w, const @p_state *s, const @p_parameters *dp, @p_state *d);
/* After it: how outputs, forces and energies change. */
void @p_observe_tangent(@p_work *w, const @p_state *s, const @p_parameters *dp, const @p_state *d, @p_observed *o);
)";

constexpr const char* end_of_header = R"(
#ifdef __cplusplus
}
#endif

#endif
)";

}  // namespace

std::string LibraryWriter::comment_of_model() const {
  const ModelData& model = system_.model();
  std::string text;
  if (!model.source.empty()) text += " * " + c_comment(model.source) + "\n";
  text += fmt::format(" * Written by dalembert codegen: order {}, tolerance {}.\n", library_.order,
                      library_.tolerance);
  for (const std::size_t j : library_.dropped) {
    text += fmt::format(
        " * The constraint {} depends on the others at the start: its multiplier is zero, and it is "
        "checked.\n",
        c_comment(system_.constraint_name(j)));
  }
  return text;
}

std::string LibraryWriter::sizes() const {
  const auto at_least_one = [](std::size_t n) { return std::max<std::size_t>(n, 1); };
  const std::size_t n = system_.n(), m = system_.m(), outputs = system_.model().outputs.size();
  std::string text = "/* How many there are; sizes of arrays, which cannot be empty. */\nenum {\n";
  const auto add = [&](const char* name, std::size_t value, const char* comma = ",") {
    text += fmt::format("  {}_{} = {}{}\n", names_.upper, name, value, comma);
  };
  add("COORDINATES", n);
  add("CONSTRAINTS", m);
  add("HOLONOMIC", system_.holonomic());
  add("INDEPENDENT", active_.size());
  add("OUTPUTS", outputs);
  add("ORDER", static_cast<std::size_t>(library_.order));
  add("Q_SIZE", at_least_one(n));
  add("LAMBDA_SIZE", at_least_one(m));
  add("OUTPUT_SIZE", at_least_one(outputs));
  add("UNKNOWNS", at_least_one(n + active_.size()), "");
  return text + "};\n\n";
}

std::string LibraryWriter::enumerators() const {
  const auto list = [](const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return std::string();
    std::string text = fmt::format("/* {} */\nenum {{\n", what);
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("  {} = {}{}\n", names[i], i, i + 1 < names.size() ? "," : "");
    return text + "};\n\n";
  };
  return list("Coordinates: indices of q, v, a.", names_.coordinates) +
         list("Constraints: indices of lambda, c, gamma, and of g.", names_.constraints) +
         list("Outputs.", names_.outputs);
}

std::string LibraryWriter::parameter_struct() const {
  std::string text = "typedef struct {\n";
  const ModelData& model = system_.model();
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter& parameter = model.parameters[i];
    std::string comment = c_comment(text_excerpt(parameter.value));
    if (parameter.name != names_.parameters[i]) comment = c_comment(parameter.name) + " = " + comment;
    const auto unit = model.units.find(parameter.name);
    if (unit != model.units.end()) comment += " " + c_comment(unit->second.text);
    text += fmt::format("  double {};  /* {} */\n", names_.parameters[i], comment);
  }
  if (model.parameters.empty()) text += "  double none;  /* the model has no parameters */\n";
  return text + "} @p_parameters;\n\n";
}

std::string LibraryWriter::work_struct() const {
  const auto size = [](std::size_t count) { return std::max<std::size_t>(count, 1); };
  std::string text =
      "/* What is kept from call to call, and where numbers stand on the way. */\ntypedef struct {\n";
  text += "  @p_parameters p;\n";
  const auto add = [&](const char* name, std::size_t count, const char* meaning) {
    text += fmt::format("  double {}[{}];  /* {} */\n", name, size(count), meaning);
  };
  add("c_terms", terms_.constant_count(), "constants that follow from the parameters");
  add("c_series", series_.constant_count(), "");
  add("c_observed", observed_.constant_count(), "");
  if (!balance_program_.outputs.empty()) add("c_balance", balance_.constant_count(), "");
  text += "  @p_terms terms;\n";
  text += fmt::format("  double s[{}][@P_ORDER + 2];  /* coefficients of the series */\n",
                      size(series_.row_count()));
  if (derivatives_) {
    add("c_state_tangent", state_tangent_.constant_count(), "");
    add("c_observed_tangent", observed_tangent_.constant_count(), "");
    text += "  double force_tangent[@P_Q_SIZE];\n";
    text += fmt::format("  double d[{}][2];  /* values and directional derivatives */\n",
                        size(std::max(state_tangent_.row_count(), observed_tangent_.row_count())));
  }
  text +=
      "  double kkt[@P_UNKNOWNS][@P_UNKNOWNS];  /* [M C'; C 0] */\n"
      "  double lu[@P_UNKNOWNS][@P_UNKNOWNS];   /* its factors, scaled */\n"
      "  double scale[@P_UNKNOWNS];\n"
      "  int exchange[@P_UNKNOWNS];\n"
      "  double right[@P_UNKNOWNS];\n"
      "  double solution[@P_UNKNOWNS];\n"
      "  double rest[@P_UNKNOWNS];\n"
      "  double wish[@P_Q_SIZE];\n"
      "  double step[@P_Q_SIZE];\n"
      "  double last_term;\n"
      "  double step_error;\n"
      "  int hops;  /* over changes of branches, one after the other */\n";
  return text + "} @p_work;\n\n";
}

std::string LibraryWriter::header() const {
  const ModelData& model = system_.model();
  const std::string title = c_comment(model.title.empty() ? names_.prefix : model.title);
  std::string text =
      fill(head_of_header, {{"title", title}, {"about", comment_of_model()}}) + sizes() + enumerators();
  text += fmt::format("/* When the model starts. */\n#define {}_START_TIME ({})\n", names_.upper,
                      c_number(model.solve.start()));
  text += fmt::format("/* The tolerance that the order was chosen for. */\n#define {}_TOLERANCE ({})\n\n",
                      names_.upper, c_number(library_.tolerance));
  text += fill(parameter_struct() + types_of_header + work_struct() + functions_of_header);
  text += fill(series_of_header);
  if (derivatives_) text += fill(derivatives_of_header);
  return text + end_of_header;
}

}  // namespace dalembert::session

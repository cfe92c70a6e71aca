// C of an instance: values by their references, the start, steps, directional derivatives. Both versions of
// the interface are made of it.
#include "fmu_variables.hpp"

namespace dalembert::session {

const char* const instance_text = R"(enum {
  N = @P_COORDINATES,
  M = @P_CONSTRAINTS,
  STATES = 2*N,
  PARAMETERS = @{parameters},
  VR_TIME = 0,
  VR_PARAMETER = 1,
  VR_Q = VR_PARAMETER + PARAMETERS,
  VR_V = VR_Q + N,
  VR_DER_Q = VR_V + N,
  VR_A = VR_DER_Q + N,
  VR_LAMBDA = VR_A + N,
  VR_FORCE = VR_LAMBDA + M,
  VR_OUTPUT = VR_FORCE + @{forces},
  VR_KINETIC = VR_OUTPUT + @P_OUTPUTS,
  VR_POTENTIAL,
  VR_END
};

/* All that an instance is, without pointers: it can be copied and written down as it is. */
typedef struct {
  @p_work work;
  @p_parameters p;
  @p_state s;
  @p_observed o;
  double given_parameter[PARAMETERS + 1];
  double given_q[@P_Q_SIZE];
  double given_v[@P_Q_SIZE];
  unsigned char parameter_is_given[PARAMETERS + 1];
  unsigned char q_is_given[@P_Q_SIZE];
  unsigned char v_is_given[@P_Q_SIZE];
  double start_time;
  double tolerance;
  int is_starting;  /* until the end of the initialization */
  int is_current;   /* accelerations, forces, outputs are those of the place */
} core;

@{tables}
static void apply_parameters(core *c)
{
  int i;
  @p_default_parameters(&c->p);
  for (i = 0; i < PARAMETERS; ++i) {
    if (c->parameter_is_given[i]) { *parameter(&c->p, i) = c->given_parameter[i]; }
  }
  @p_derive_parameters(&c->p);
  for (i = 0; i < PARAMETERS; ++i) {
    if (c->parameter_is_given[i]) { *parameter(&c->p, i) = c->given_parameter[i]; }
  }
  @p_set_parameters(&c->work, &c->p);
}

static void reset_core(core *c)
{
  memset(c, 0, sizeof *c);
  @p_default_parameters(&c->p);
  @p_init(&c->work, &c->p);
  c->start_time = @P_START_TIME;
  c->tolerance = @P_TOLERANCE;
  c->is_starting = 1;
}

/* The consistent start nearest to what was given. */
static @p_status find_start(core *c)
{
  int i;
  @p_status status;
  apply_parameters(c);
  @p_start_values(&c->p, &c->s);
  c->s.t = c->start_time;
  for (i = 0; i < N; ++i) {
    if (c->q_is_given[i]) { c->s.q[i] = c->given_q[i]; }
    if (c->v_is_given[i]) { c->s.v[i] = c->given_v[i]; }
  }
  status = @p_start(&c->work, &c->s);
  if (status == @P_OK) { @p_observe(&c->work, &c->s, &c->o); }
  return status;
}

static @p_status make_current(core *c)
{
  @p_status status = @P_OK;
  if (!c->is_current) {
    if (c->is_starting) {
      status = find_start(c);
    } else {
      status = @p_accelerations(&c->work, &c->s);
      if (status == @P_OK) { @p_observe(&c->work, &c->s, &c->o); }
    }
    c->is_current = (status == @P_OK);
  }
  return status;
}

/* Values by their references; the status of what had to be computed. -1: there is none of that number. */
static int get_value(core *c, unsigned int reference, double *value)
{
  const int vr = (reference < (unsigned int)VR_END) ? (int)reference : -1;
  if (vr < 0) { return -1; }
  if ((vr >= VR_PARAMETER) && (vr < VR_Q)) {
    if (c->is_starting) { apply_parameters(c); }
    *value = *parameter(&c->p, vr - VR_PARAMETER);
    return 0;
  }
  if (c->is_starting || (vr >= VR_A)) {
    const @p_status status = make_current(c);
    if (status != @P_OK) { return (int)status; }
  }
  if (vr == VR_TIME) { *value = c->is_starting ? c->start_time : c->s.t; }
  else if (vr < VR_V) { *value = c->s.q[vr - VR_Q]; }
  else if (vr < VR_DER_Q) { *value = c->s.v[vr - VR_V]; }
  else if (vr < VR_A) { *value = c->s.v[vr - VR_DER_Q]; }
  else if (vr < VR_LAMBDA) { *value = c->s.a[vr - VR_A]; }
  else if (vr < VR_FORCE) { *value = c->s.lambda[vr - VR_LAMBDA]; }
  else if (vr < VR_OUTPUT) { *value = c->o.force[vr - VR_FORCE]; }
  else if (vr < VR_KINETIC) { *value = c->o.output[vr - VR_OUTPUT]; }
  else if (vr == VR_KINETIC) { *value = c->o.kinetic; }
  else { *value = c->o.potential; }
  return 0;
}

/* Parameters and start values until the end of the initialization, then inputs and states. */
static int set_value(core *c, unsigned int reference, double value)
{
  const int vr = (reference < (unsigned int)VR_END) ? (int)reference : -1;
  if ((vr < VR_PARAMETER) || (vr >= VR_DER_Q)) { return -1; }
  if (!(fabs(value) <= DBL_MAX)) { return (int)@P_NOT_FINITE; }
  c->is_current = 0;
  if (vr < VR_Q) {
    const int i = vr - VR_PARAMETER;
    if (parameter_kind[i] == DEPENDENT_PARAMETER) { return -1; }
    if (!c->is_starting && (parameter_kind[i] != INPUT_PARAMETER)) { return -1; }
    c->given_parameter[i] = value;
    c->parameter_is_given[i] = 1;
    if (!c->is_starting) { apply_parameters(c); }
  } else if (vr < VR_V) {
    c->given_q[vr - VR_Q] = value;
    c->q_is_given[vr - VR_Q] = 1;
    c->s.q[vr - VR_Q] = value;
  } else {
    c->given_v[vr - VR_V] = value;
    c->v_is_given[vr - VR_V] = 1;
    c->s.v[vr - VR_V] = value;
  }
  return 0;
}

static @p_status end_initialization(core *c)
{
  const @p_status status = make_current(c);
  c->is_starting = 0;
  return status;
}

static void set_states(core *c, const double x[])
{
  int i;
  for (i = 0; i < N; ++i) {
    c->s.q[i] = x[i];
    c->s.v[i] = x[N + i];
  }
  c->is_current = 0;
}

static @p_status get_states(core *c, double x[])
{
  int i;
  const @p_status status = c->is_starting ? make_current(c) : @P_OK;
  for (i = 0; i < N; ++i) {
    x[i] = c->s.q[i];
    x[N + i] = c->s.v[i];
  }
  return status;
}

static @p_status get_derivatives(core *c, double x[])
{
  int i;
  const @p_status status = make_current(c);
  for (i = 0; i < N; ++i) {
    x[i] = c->s.v[i];
    x[N + i] = c->s.a[i];
  }
  return status;
}

/* Whether an integrator that knows nothing of the constraints has left them by more than ten tolerances. */
static int has_drifted(core *c)
{
  double q = 0.0;
  double v = 0.0;
  int drifted = 0;
  int i;
  int j;
  @p_evaluate(&c->work, c->s.t, c->s.q, c->s.v);
  for (i = 0; i < N; ++i) {
    q = fmax(q, fabs(c->s.q[i]));
    v = fmax(v, fabs(c->s.v[i]));
  }
  for (j = 0; j < M; ++j) {
    double row = 0.0;
    double speed = c->work.terms.c[j];
    for (i = 0; i < N; ++i) {
      row += fabs(c->work.terms.C[j][i]);
      speed += c->work.terms.C[j][i]*c->s.v[i];
    }
    if ((j < @P_HOLONOMIC) && (fabs(c->work.terms.g[j]) > 10.0*c->tolerance*row*q + 1e-14*row)) { drifted = 1; }
    if (fabs(speed) > 10.0*c->tolerance*row*(v + q) + 1e-14*row) { drifted = 1; }
  }
  return drifted;
}

static @p_status remove_drift(core *c)
{
  c->is_current = 0;
  return @p_project(&c->work, &c->s);
}

static @p_status advance(core *c, double t_end)
{
  const @p_status status = @p_advance(&c->work, &c->s, t_end, c->tolerance);
  c->is_current = 0;
  return (status == @P_OK) ? make_current(c) : status;
}

/* How unknowns change with knowns: states and inputs. */
static int get_direction(core *c, const unsigned int knowns[], size_t known_count, const double seed[],
                         const unsigned int unknowns[], size_t unknown_count, double change[])
{
  @p_state d;
  @p_parameters dp;
  @p_observed o;
  size_t k;
  int status = (int)make_current(c);
  memset(&d, 0, sizeof d);
  memset(&dp, 0, sizeof dp);
  if (status != 0) { return status; }
  for (k = 0; k < known_count; ++k) {
    const int vr = (knowns[k] < (unsigned int)VR_END) ? (int)knowns[k] : -1;
    if (vr == VR_TIME) { d.t = seed[k]; }
    else if ((vr >= VR_Q) && (vr < VR_V)) { d.q[vr - VR_Q] = seed[k]; }
    else if ((vr >= VR_V) && (vr < VR_DER_Q)) { d.v[vr - VR_V] = seed[k]; }
    else if ((vr >= VR_PARAMETER) && (vr < VR_Q) && (parameter_kind[vr - VR_PARAMETER] == INPUT_PARAMETER)) {
      *parameter(&dp, vr - VR_PARAMETER) = seed[k];
    } else { return -1; }
  }
  status = (int)@p_accelerations_tangent(&c->work, &c->s, &dp, &d);
  if (status != 0) { return status; }
  @p_observe_tangent(&c->work, &c->s, &dp, &d, &o);
  for (k = 0; k < unknown_count; ++k) {
    const int vr = (unknowns[k] < (unsigned int)VR_END) ? (int)unknowns[k] : -1;
    if (vr < VR_Q) { return -1; }
    if (vr < VR_V) { change[k] = d.q[vr - VR_Q]; }
    else if (vr < VR_DER_Q) { change[k] = d.v[vr - VR_V]; }
    else if (vr < VR_A) { change[k] = d.v[vr - VR_DER_Q]; }
    else if (vr < VR_LAMBDA) { change[k] = d.a[vr - VR_A]; }
    else if (vr < VR_FORCE) { change[k] = d.lambda[vr - VR_LAMBDA]; }
    else if (vr < VR_OUTPUT) { change[k] = o.force[vr - VR_FORCE]; }
    else if (vr < VR_KINETIC) { change[k] = o.output[vr - VR_OUTPUT]; }
    else if (vr == VR_KINETIC) { change[k] = o.kinetic; }
    else { change[k] = o.potential; }
  }
  return 0;
}

)";

}  // namespace dalembert::session

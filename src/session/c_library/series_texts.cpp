// Texts of C that do not depend on the model: the recursion of the Adomian method and its steps.
#include "library_writer.hpp"

namespace dalembert::session {

const char* const series_text = R"(/* ---- the series ---- */

/* The coefficients of q, v, a, lambda at a place:
 *
 *   [ M C' ] [ a_k      ]   [ f_k - sum of M_j a_(k-j) + C_j' lambda_(k-j), j = 1..k     ]
 *   [ C 0  ] [ lambda_k ] = [ -(k+1) (c_(k+1) + sum of C_j v_(k+1-j), j = 1..k+1)        ]
 *
 *   v_(k+1) = a_k/(k+1),  q_(k+2) = v_(k+1)/(k+2)
 *
 * What depends on t and q alone is computed one order ahead of the rest. */
static @p_status expand(@p_work *w, const @p_state *s)
{
  @p_status status;
  int i;
  int k;
  for (i = 0; i < N; ++i) {
    w->s[ROW_Q + i][0] = s->q[i];
    w->s[ROW_Q + i][1] = s->v[i];
    w->s[ROW_V + i][0] = s->v[i];
  }
  w->s[ROW_T][0] = s->t;
  w->s[ROW_T][1] = 1.0;
  position_order_zero(w);
  velocity_order_zero(w);
  set_matrices(w);
  assemble(w);
  status = factor(w);
  if (status != @P_OK) { return status; }
  for (k = 0; k < ORDER; ++k) {
    if (k > 0) { velocity_order(w, k); }
    position_order(w, k + 1);
    set_right_side(w, k);
    solve(w);
    for (i = 0; i < N; ++i) {
      w->s[ROW_A + i][k] = w->solution[i];
      w->s[ROW_V + i][k + 1] = w->solution[i]/(double)(k + 1);
      w->s[ROW_Q + i][k + 2] = w->s[ROW_V + i][k + 1]/(double)(k + 2);
    }
    for (i = 0; i < ROWS; ++i) { w->s[ROW_LAMBDA + active[i]][k] = w->solution[N + i]; }
    acceleration_order(w, k);
  }
  return @P_OK;
}

/* A series at h, through an order. */
static double series_at(const double coefficient[], int order, double h)
{
  double sum = coefficient[order];
  int k;
  for (k = order - 1; k >= 0; --k) { sum = sum*h + coefficient[k]; }
  return sum;
}

static void place_at(const @p_work *w, double h, @p_state *s)
{
  int i;
  s->t = w->s[ROW_T][0] + h;
  for (i = 0; i < N; ++i) {
    s->q[i] = series_at(w->s[ROW_Q + i], ORDER + 1, h);
    s->v[i] = series_at(w->s[ROW_V + i], ORDER, h);
  }
}

/* The largest coefficient k of the velocities, each in units of its inertia. */
static double velocity_size(const @p_work *w, int k)
{
  double size = 0.0;
  int i;
  for (i = 0; i < N; ++i) {
    const double inertia = fabs(w->terms.M[i][i]);
    const double entry = fabs(w->s[ROW_V + i][k])*sqrt(inertia);
    size = is_finite_number(entry) ? fmax(size, entry) : DBL_MAX;
  }
  return size;
}

/* Of the last step: |v_p| h^p beside the largest of |v_0|, |v_1| h, |v_2| h^2. */
static double last_term(const @p_work *w, double h)
{
  const double largest = fmax(velocity_size(w, 0), fmax(velocity_size(w, 1)*h, velocity_size(w, 2)*h*h));
  const double last = velocity_size(w, ORDER)*pow(h, (double)ORDER);
  return (last > 0.0) ? last/largest : 0.0;
}

double @p_last_term(const @p_work *w)
{
  return w->last_term;
}

/* What the series says of the accelerations at h, against those of the place there: the largest difference of
 * velocities that it makes, each in units of its inertia. */
static double velocity_difference(const @p_work *w, const @p_state *s, double h)
{
  double difference = 0.0;
  int i;
  for (i = 0; i < N; ++i) {
    const double unit = sqrt(fabs(w->terms.M[i][i]));
    difference = fmax(difference, unit*fabs(series_at(w->s[ROW_A + i], ORDER - 1, h) - s->a[i])*fabs(h));
  }
  return difference;
}

/* The largest velocity at both ends of a step. */
static double largest_velocity(const @p_work *w, const @p_state *s, double h)
{
  double size = fmax(velocity_size(w, 0), velocity_size(w, 1)*fabs(h));
  int i;
  for (i = 0; i < N; ++i) { size = fmax(size, sqrt(fabs(w->terms.M[i][i]))*fabs(s->v[i])); }
  return size;
}

/* Velocities count as no less than what moves q by a millionth, or what forces make of rounding errors. */
static double estimate_error(const @p_work *w, const @p_state *s, double h)
{
  const double length = fabs(h);
  const double difference =
      fmax(velocity_difference(w, s, h), velocity_size(w, ORDER)*pow(length, (double)ORDER));
  double size = largest_velocity(w, s, h);
  int i;
  for (i = 0; i < N; ++i) {
    const double unit = sqrt(fabs(w->terms.M[i][i]));
    if (unit > 0.0) {
      size = fmax(size, 1e-6*unit*fabs(s->q[i])/length);
      size = fmax(size, 1e-9*length*fabs(w->terms.f[i])/unit);
    }
  }
  return (difference > 0.0) ? difference/size : 0.0;
}

double @p_step_error(const @p_work *w)
{
  return w->step_error;
}

@p_status @p_fixed_step(@p_work *w, @p_state *s, double h)
{
  @p_status status = expand(w, s);
  if (status != @P_OK) { return status; }
  w->last_term = last_term(w, fabs(h));
  place_at(w, h, s);
  status = @p_project(w, s);
  if (status == @P_OK) { status = @p_accelerations(w, s); }
  if (status != @P_OK) { return status; }
  w->step_error = estimate_error(w, s, h);
  return (w->step_error <= @P_MOST_STEP_ERROR) ? @P_OK : @P_INACCURATE;
}

)";

const char* const series_step_text = R"(/* ---- steps whose length the series tells ---- */

/* The length at which term k is `tolerance` of one of the first three, whichever allows most. */
static double length_for_term(const @p_work *w, int k, double tolerance)
{
  const double last = velocity_size(w, k);
  double length = 0.0;
  int j;
  if (!(last > 0.0)) { return DBL_MAX; }
  for (j = 0; (j < 3) && (j < k); ++j) {
    length = fmax(length, pow(tolerance*velocity_size(w, j)/last, 1.0/(double)(k - j)));
  }
  return length;
}

/* How far the series and the equations disagree at h, beside the velocities. */
static double contradiction(const @p_work *w, const @p_state *s, double h)
{
  const double difference = velocity_difference(w, s, h);
  return (difference > 0.0) ? difference/largest_velocity(w, s, h) : 0.0;
}

@p_status @p_series_step(@p_work *w, @p_state *s, double h_most, double tolerance)
{
  const double t = s->t;
  double h;
  int attempt;
  int is_over;
  @p_status status = expand(w, s);
  if (status != @P_OK) { return status; }
  h = fmin(length_for_term(w, ORDER - 1, tolerance), length_for_term(w, ORDER, tolerance));
  h = fmin(h_most, h*exp(-0.7/(double)(ORDER - 1)));
  status = end_at_branch(w, t, &h, &is_over);
  if (status != @P_OK) { return status; }
  for (attempt = 0; attempt < 30; ++attempt) {
    if (!(t + h > t)) { return @P_NO_PROGRESS; }
    place_at(w, h, s);
    status = @p_project(w, s);
    if (status == @P_OK) { status = @p_accelerations(w, s); }
    if ((status == @P_OK) && ((is_over != 0) || (contradiction(w, s, h) <= 100.0*tolerance + 1e-11))) {
      w->last_term = last_term(w, h);
      w->step_error = contradiction(w, s, h);
      return @P_OK;
    }
    h *= 0.5;
  }
  return (status == @P_OK) ? @P_NO_PROGRESS : status;
}

@p_status @p_advance(@p_work *w, @p_state *s, double t_end, double tolerance)
{
  @p_status status = @P_OK;
  while ((status == @P_OK) && (s->t < t_end)) {
    const double rest = t_end - s->t;
    status = @p_series_step(w, s, rest, tolerance);
    /* round-off of t is no step */
    if ((status == @P_OK) && (t_end - s->t <= 4.0*DBL_EPSILON*fmax(fabs(t_end), rest))) { s->t = t_end; }
  }
  return status;
}

)";

const char* const derivatives_text = R"(/* ---- directional derivatives ---- */

@p_status @p_accelerations_tangent(@p_work *w, const @p_state *s, const @p_parameters *dp, @p_state *d)
{
  double (*const x)[2] = w->d;
  @p_status status;
  int i;
  int finite = 1;
  @p_evaluate(w, s->t, s->q, s->v);
  assemble(w);
  status = factor(w);
  if (status != @P_OK) { return status; }
  for (i = 0; i < N; ++i) {
    x[TANGENT_ROW_Q + i][0] = s->q[i];
    x[TANGENT_ROW_Q + i][1] = d->q[i];
    x[TANGENT_ROW_V + i][0] = s->v[i];
    x[TANGENT_ROW_V + i][1] = d->v[i];
  }
  x[TANGENT_ROW_T][0] = s->t;
  x[TANGENT_ROW_T][1] = d->t;
  state_tangent(w, s, dp);
  solve(w);
  for (i = 0; i < M; ++i) { d->lambda[i] = 0.0; }
  for (i = 0; i < ROWS; ++i) { d->lambda[active[i]] = w->solution[N + i]; }
  for (i = 0; i < N; ++i) { d->a[i] = w->solution[i]; }
  for (i = 0; i < DIM; ++i) { finite = finite && is_finite_number(w->solution[i]); }
  return finite ? @P_OK : @P_NOT_FINITE;
}

)";

}  // namespace dalembert::session

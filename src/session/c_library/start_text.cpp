// Text of C that does not depend on the model: the consistent start.
#include "library_writer.hpp"

namespace dalembert::session {

const char* const start_text = R"(/* ---- consistent start ---- */

/* The metric in which q or v move: M between coordinates that move alike, which is 0.001 times as dear for guesses; a
 * coordinate that stays has a row of its own. Without it where M is singular on what moves: its diagonal. Below it stands
 * -1e-10 C W^-1 C', so that rows may depend on each other among the coordinates that move, or touch none of them. */
static void assemble_moves(@p_work *w, const double weight[], int holonomic_alone, int is_diagonal)
{
  double mean = 0.0;
  int i;
  int j;
  assemble(w);
  for (i = 0; i < N; ++i) { mean += fabs(w->terms.M[i][i])/(double)N; }
  if (!(mean > 0.0)) { mean = 1.0; }
  for (i = 0; i < N; ++i) {
    for (j = 0; j < N; ++j) {
      const int counts = (fabs(weight[i] - weight[j]) <= 0.0) && (!is_diagonal || (i == j));
      w->kkt[i][j] *= counts ? weight[i]*weight[j] : 0.0;
    }
    if (weight[i] <= 0.0) {
      w->kkt[i][i] = 1.0;
    } else if (is_diagonal && !(fabs(w->terms.M[i][i]) > 1e-6*mean)) {
      w->kkt[i][i] = mean*weight[i]*weight[i];
    } else { /* as it is */
    }
  }
  for (i = 0; i < ROWS; ++i) {
    const int counts = !holonomic_alone || (active[i] < HOLONOMIC);
    double size = 0.0;
    for (j = 0; j < N; ++j) {
      if (counts && (weight[j] > 0.0)) {
        const double inertia = fmax(fabs(w->terms.M[j][j]), 1e-6*mean)*weight[j]*weight[j];
        size += w->kkt[N + i][j]*w->kkt[N + i][j]/inertia;
      } else {
        w->kkt[N + i][j] = 0.0;
        w->kkt[j][N + i] = 0.0;
      }
    }
    w->kkt[N + i][N + i] = (size > 0.0) ? -1e-10*size : -1.0;
  }
}

static @p_status factor_moves(@p_work *w, const double weight[], int holonomic_alone)
{
  @p_status status;
  assemble_moves(w, weight, holonomic_alone, 0);
  status = factor(w);
  if (status == @P_SINGULAR) {
    assemble_moves(w, weight, holonomic_alone, 1);
    status = factor(w);
  }
  return status;
}

/* The correction of q for g at the place of w->terms; its size. */
static double position_correction(@p_work *w)
{
  double size = 0.0;
  int i;
  for (i = 0; i < N; ++i) { w->right[i] = 0.0; }
  for (i = 0; i < ROWS; ++i) { w->right[N + i] = (active[i] < HOLONOMIC) ? -w->terms.g[active[i]] : 0.0; }
  solve(w);
  for (i = 0; i < N; ++i) {
    size = is_finite_number(w->solution[i]) ? fmax(size, fabs(w->solution[i])) : DBL_MAX;
  }
  return size;
}

static double largest_entry(const double x[])
{
  double size = 0.0;
  int i;
  for (i = 0; i < N; ++i) { size = fmax(size, fabs(x[i])); }
  return size;
}

/* Whether all holonomic constraints hold, for coordinates of the size that they have had. */
static int positions_fit(const @p_work *w, double size)
{
  int fit = 1;
  int i;
  int j;
  for (j = 0; j < HOLONOMIC; ++j) {
    double row = 0.0;
    for (i = 0; i < N; ++i) { row += fabs(w->terms.C[j][i]); }
    fit = fit && (fabs(w->terms.g[j]) <= 1e-9*row*size);
  }
  return fit;
}

/* Newton's method with steps that are halved while the next correction, by the same factor, would not be shorter. */
static @p_status move_positions(@p_work *w, @p_state *s, const double weight[])
{
  double size = largest_entry(s->q);
  int iteration;
  int halving;
  int i;
  for (iteration = 0; iteration < 60; ++iteration) {
    @p_status status;
    double length;
    double share = 1.0;
    int found = 0;
    @p_evaluate(w, s->t, s->q, s->v);
    status = factor_moves(w, weight, 1);
    if (status != @P_OK) { return status; }
    length = position_correction(w);
    size = fmax(size, largest_entry(s->q));
    if (length <= 4.0*DBL_EPSILON*size) { return positions_fit(w, size) ? @P_OK : @P_INCONSISTENT; }
    for (i = 0; i < N; ++i) {
      w->wish[i] = s->q[i];
      w->step[i] = w->solution[i];
    }
    for (halving = 0; (halving < 20) && !found; ++halving) {
      for (i = 0; i < N; ++i) { s->q[i] = w->wish[i] + share*w->step[i]; }
      @p_evaluate(w, s->t, s->q, s->v);
      found = position_correction(w) <= (1.0 - 0.25*share)*length;
      share *= 0.5;
    }
    if (!found) {
      for (i = 0; i < N; ++i) { s->q[i] = w->wish[i]; }
      @p_evaluate(w, s->t, s->q, s->v);
      return positions_fit(w, size) ? @P_OK : @P_INCONSISTENT;
    }
  }
  return @P_INCONSISTENT;
}

/* Whether the independent constraints hold for the velocities, to so many parts of their terms with velocities of `size`. */
static int velocities_fit(const @p_work *w, const double v[], double size, double share)
{
  int fit = 1;
  int i;
  int j;
  for (j = 0; j < ROWS; ++j) {
    double terms = fabs(w->terms.c[active[j]]);
    for (i = 0; i < N; ++i) { terms += fabs(w->terms.C[active[j]][i])*fmax(fabs(v[i]), size); }
    fit = fit && (fabs(velocity_residual(w, v, active[j])) <= share*terms);
  }
  return fit;
}

/* C v + c = 0 is linear: one correction, and others of its round-off. */
static @p_status move_velocities(@p_work *w, @p_state *s, const double weight[])
{
  double size = largest_entry(s->v);
  int correction;
  int i;
  const @p_status status = factor_moves(w, weight, 0);
  if (status != @P_OK) { return status; }
  for (correction = 0; correction < 4; ++correction) {
    for (i = 0; i < N; ++i) { w->right[i] = 0.0; }
    for (i = 0; i < ROWS; ++i) { w->right[N + i] = -velocity_residual(w, s->v, active[i]); }
    solve(w);
    for (i = 0; i < N; ++i) { s->v[i] += w->solution[i]; }
    size = fmax(size, largest_entry(s->v));
  }
  return velocities_fit(w, s->v, size, 1e-9) ? @P_OK : @P_INCONSISTENT;
}

@p_status @p_start(@p_work *w, @p_state *s)
{
  double wish[@P_Q_SIZE];
  @p_status status;
  int i;
  for (i = 0; i < N; ++i) { wish[i] = s->q[i]; }
  status = move_positions(w, s, position_weight[0]);
  if (status != @P_OK) {
    for (i = 0; i < N; ++i) { s->q[i] = wish[i]; }
    status = move_positions(w, s, position_weight[1]);
  }
  if (status != @P_OK) { return (status == @P_SINGULAR) ? @P_INCONSISTENT : status; }
  @p_evaluate(w, s->t, s->q, s->v);
  if (!velocities_fit(w, s->v, 0.0, 1e-14)) {
    for (i = 0; i < N; ++i) { wish[i] = s->v[i]; }
    status = move_velocities(w, s, velocity_weight[0]);
    if (status != @P_OK) {
      for (i = 0; i < N; ++i) { s->v[i] = wish[i]; }
      status = move_velocities(w, s, velocity_weight[1]);
    }
  }
  if (status == @P_OK) { status = balance_velocities(w, s); }
  return (status == @P_OK) ? @p_accelerations(w, s) : status;
}

)";

}  // namespace dalembert::session

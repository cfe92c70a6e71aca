// Texts of C that do not depend on the model: the saddle-point system and what is made of its solutions.
#include <map>
#include <string>
#include <string_view>

#include "library_writer.hpp"

namespace dalembert::session {

const char* const linear_algebra_text = R"(/* ---- the saddle-point system [M C'; C 0] x = right ---- */

static int is_finite_number(double x)
{
  return fabs(x) <= DBL_MAX;
}

/* The matrix from M and the independent rows of C in w->terms. */
static void assemble(@p_work *w)
{
  int i;
  int j;
  for (i = 0; i < DIM; ++i) {
    for (j = 0; j < DIM; ++j) { w->kkt[i][j] = 0.0; }
  }
  for (i = 0; i < N; ++i) {
    for (j = 0; j < N; ++j) { w->kkt[i][j] = w->terms.M[i][j]; }
  }
  for (i = 0; i < ROWS; ++i) {
    for (j = 0; j < N; ++j) {
      w->kkt[N + i][j] = w->terms.C[active[i]][j];
      w->kkt[j][N + i] = w->terms.C[active[i]][j];
    }
  }
}

/* Scales of rows and columns that bring the largest entry of each row to about 1: five sweeps. */
static void find_scales(@p_work *w)
{
  int i;
  int j;
  int sweep;
  for (i = 0; i < DIM; ++i) { w->scale[i] = 1.0; }
  for (sweep = 0; sweep < 5; ++sweep) {
    for (i = 0; i < DIM; ++i) {
      double largest = 0.0;
      for (j = 0; j < DIM; ++j) { largest = fmax(largest, fabs(w->kkt[i][j])*w->scale[j]); }
      largest *= w->scale[i];
      w->rest[i] = (largest > 0.0) ? w->scale[i]/sqrt(largest) : w->scale[i];
    }
    for (i = 0; i < DIM; ++i) { w->scale[i] = w->rest[i]; }
  }
}

/* L U = the scaled matrix with rows exchanged. */
static @p_status factor(@p_work *w)
{
  int i;
  int j;
  int k;
  find_scales(w);
  for (i = 0; i < DIM; ++i) {
    for (j = 0; j < DIM; ++j) { w->lu[i][j] = w->scale[i]*w->kkt[i][j]*w->scale[j]; }
  }
  for (k = 0; k < DIM; ++k) {
    int pivot = k;
    for (i = k + 1; i < DIM; ++i) {
      if (fabs(w->lu[i][k]) > fabs(w->lu[pivot][k])) { pivot = i; }
    }
    w->exchange[k] = pivot;
    if (!is_finite_number(w->lu[pivot][k])) { return @P_NOT_FINITE; }
    if (!(fabs(w->lu[pivot][k]) > 1e-14)) { return @P_SINGULAR; }
    if (pivot != k) {
      for (j = 0; j < DIM; ++j) {
        const double entry = w->lu[k][j];
        w->lu[k][j] = w->lu[pivot][j];
        w->lu[pivot][j] = entry;
      }
    }
    for (i = k + 1; i < DIM; ++i) {
      const double ratio = w->lu[i][k]/w->lu[k][k];
      w->lu[i][k] = ratio;
      if (fabs(ratio) > 0.0) {
        for (j = k + 1; j < DIM; ++j) { w->lu[i][j] -= ratio*w->lu[k][j]; }
      }
    }
  }
  return @P_OK;
}

/* x = (L U)^-1 x */
static void substitute(const @p_work *w, double x[])
{
  int i;
  int j;
  for (i = 0; i < DIM; ++i) { x[i] *= w->scale[i]; }
  for (i = 0; i < DIM; ++i) {
    const double entry = x[w->exchange[i]];
    x[w->exchange[i]] = x[i];
    x[i] = entry;
  }
  for (i = 1; i < DIM; ++i) {
    for (j = 0; j < i; ++j) { x[i] -= w->lu[i][j]*x[j]; }
  }
  for (i = DIM - 1; i >= 0; --i) {
    for (j = i + 1; j < DIM; ++j) { x[i] -= w->lu[i][j]*x[j]; }
    x[i] /= w->lu[i][i];
  }
  for (i = 0; i < DIM; ++i) { x[i] *= w->scale[i]; }
}

/* w->solution = matrix^-1 w->right, refined once. */
static void solve(@p_work *w)
{
  int i;
  int j;
  for (i = 0; i < DIM; ++i) { w->solution[i] = w->right[i]; }
  substitute(w, w->solution);
  for (i = 0; i < DIM; ++i) {
    w->rest[i] = w->right[i];
    for (j = 0; j < DIM; ++j) { w->rest[i] -= w->kkt[i][j]*w->solution[j]; }
  }
  substitute(w, w->rest);
  for (i = 0; i < DIM; ++i) { w->solution[i] += w->rest[i]; }
}

)";

const char* const motion_text = R"(/* ---- accelerations and projection ---- */

/* By the matrix that factor() has seen, of the same place. */
static @p_status solve_accelerations(@p_work *w, @p_state *s)
{
  int i;
  int finite = 1;
  for (i = 0; i < N; ++i) { w->right[i] = w->terms.f[i]; }
  for (i = 0; i < ROWS; ++i) { w->right[N + i] = w->terms.gamma[active[i]]; }
  solve(w);
  for (i = 0; i < M; ++i) { s->lambda[i] = 0.0; }
  for (i = 0; i < ROWS; ++i) { s->lambda[active[i]] = w->solution[N + i]; }
  for (i = 0; i < N; ++i) { s->a[i] = w->solution[i]; }
  for (i = 0; i < DIM; ++i) { finite = finite && is_finite_number(w->solution[i]); }
  return finite ? @P_OK : @P_NOT_FINITE;
}

@p_status @p_accelerations(@p_work *w, @p_state *s)
{
  @p_status status;
  @p_evaluate(w, s->t, s->q, s->v);
  assemble(w);
  status = factor(w);
  return (status == @P_OK) ? solve_accelerations(w, s) : status;
}

/* (C v + c) of a constraint at the place of w->terms. */
static double velocity_residual(const @p_work *w, const double v[], int j)
{
  double sum = w->terms.c[j];
  int i;
  for (i = 0; i < N; ++i) { sum += w->terms.C[j][i]*v[i]; }
  return sum;
}

/* All constraints must hold after the corrections, those that depend on others with them. */
static @p_status check_constraints(const @p_work *w, const @p_state *s)
{
  @p_status status = @P_OK;
  double largest_q = 0.0;
  double largest_v = 0.0;
  int i;
  int j;
  for (i = 0; i < N; ++i) {
    largest_q = fmax(largest_q, fabs(s->q[i]));
    largest_v = fmax(largest_v, fabs(s->v[i]));
  }
  for (j = 0; j < M; ++j) {
    double row = 0.0;
    for (i = 0; i < N; ++i) { row += fabs(w->terms.C[j][i]); }
    if (j < HOLONOMIC) {
      if ((largest_q > 0.0) && (fabs(w->terms.g[j]) > 1e-6*row*largest_q)) { status = @P_INCONSISTENT; }
    } else {
      const double allowed = 1e-6*(row*largest_v + fabs(w->terms.c[j])) + 1e-12*row*largest_q;
      if (fabs(velocity_residual(w, s->v, j)) > allowed) { status = @P_INCONSISTENT; }
    }
  }
  return status;
}

@p_status @p_project(@p_work *w, @p_state *s)
{
  @p_status status;
  int correction;
  int i;
  @p_evaluate(w, s->t, s->q, s->v);
  assemble(w);
  status = factor(w);
  if (status != @P_OK) { return status; }
  for (correction = 0; correction < 2; ++correction) {
    for (i = 0; i < N; ++i) { w->right[i] = 0.0; }
    for (i = 0; i < ROWS; ++i) { w->right[N + i] = (active[i] < HOLONOMIC) ? -w->terms.g[active[i]] : 0.0; }
    solve(w);
    for (i = 0; i < N; ++i) { s->q[i] += w->solution[i]; }
    @p_evaluate(w, s->t, s->q, s->v);
  }
  for (correction = 0; correction < 2; ++correction) {
    for (i = 0; i < N; ++i) { w->right[i] = 0.0; }
    for (i = 0; i < ROWS; ++i) { w->right[N + i] = -velocity_residual(w, s->v, active[i]); }
    set_unbalanced_forces(w, s);
    solve(w);
    for (i = 0; i < N; ++i) { s->v[i] += w->solution[i]; }
  }
  return check_constraints(w, s);
}

)";

const char* const message_text = R"(const char *@p_message(@p_status status)
{
  const char *text = "unknown";
  switch (status) {
    case @P_OK: text = "all is well"; break;
    case @P_SINGULAR: text = "the equations are singular here: constraints or inertia are lost"; break;
    case @P_NOT_FINITE: text = "an expression has no value here"; break;
    case @P_INCONSISTENT: text = "no place was found that meets the constraints"; break;
    case @P_NO_PROGRESS: text = "steps became too small to go on"; break;
    case @P_INACCURATE: text = "the step is too long: at its end the series and the equations disagree"; break;
    default: break;
  }
  return text;
}
)";

namespace {

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string fill_in(std::string_view text, const CQuantities& names,
                    const std::map<std::string, std::string>& values) {
  std::string result(text);
  replace_all(result, "@p", names.prefix);
  replace_all(result, "@P", names.upper);
  for (const auto& [key, value] : values) replace_all(result, "@{" + key + "}", value);
  return result;
}

}  // namespace dalembert::session

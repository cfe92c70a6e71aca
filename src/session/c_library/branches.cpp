// Where steps of generated C end because an expression changes its branch.
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "library_writer.hpp"

namespace dalembert::session {
namespace {

constexpr const char* crossing_text = R"(static double branch_argument_at(const @p_work *w, int i, double h)
{
  double sum = branch_argument(w, i, ORDER - 1);
  int k;
  for (k = ORDER - 2; k >= 0; --k) { sum = sum*h + branch_argument(w, i, k); }
  return sum;
}

static int side_of(double x)
{
  return (x > 0.0) ? 1 : ((x < 0.0) ? -1 : 0);
}

/* The first place within h where an argument has another sign than at the beginning, by its series; h if there is none. */
static double next_crossing(const @p_work *w, double h)
{
  int i;
  int j;
  for (i = 0; i < BRANCHES; ++i) {
    const int side = side_of(branch_argument(w, i, 0));
    double inside = 0.0;
    double outside = 0.0;
    for (j = 1; (j <= 32) && (inside >= outside); ++j) {
      const double place = h*(double)j/32.0;
      if (side_of(branch_argument_at(w, i, place)) == side) { inside = place; outside = place; } else { outside = place; }
    }
    if (inside < outside) {
      for (j = 0; j < 60; ++j) {
        const double middle = 0.5*(inside + outside);
        if (side_of(branch_argument_at(w, i, middle)) == side) { inside = middle; } else { outside = middle; }
      }
      h = outside;
    }
  }
  return h;
}

/* A step ends just before a change of sign; the next one, which is short, goes over it and has no check, since forces
 * may jump. Many of these one after the other: the motion does not leave the place. */
static @p_status end_at_branch(@p_work *w, double t, double *h, int *is_over)
{
  const double hop = 64.0*DBL_EPSILON*fmax(fabs(t), *h);
  const double crossing = next_crossing(w, *h);
  *is_over = 0;
  if (*h > 1e6*hop && !(crossing < 1e6*hop)) { w->hops = 0; }
  if (crossing < *h) {
    *is_over = (crossing <= 2.0*hop) ? 1 : 0;
    *h = (*is_over != 0) ? fmin(*h, crossing + hop) : (crossing - hop);
    w->hops += *is_over;
  }
  return (w->hops <= 40) ? @P_OK : @P_NO_PROGRESS;
}

)";

constexpr const char* no_crossing_text =
    R"(static @p_status end_at_branch(@p_work *w, double t, double *h, int *is_over)
{
  (void)w;
  (void)t;
  (void)h;
  *is_over = 0;
  return @P_OK;
}

)";

}  // namespace

// Arguments: x of abs(x), sign(x) and atan2(x, y), x - y of min and max.
std::string LibraryWriter::branch_functions() const {
  const std::string title = "/* ---- branches ---- */\n\n";
  std::string cases;
  std::size_t count = 0;
  const auto coefficient = [&](Register r) { return fmt::format("w->s[{}][k]", series_.row(r)); };
  for (const Instruction& i : system_.expansion_program().program.instructions) {
    if (!has_branches(i.op)) continue;
    const bool compares = branch_of(i.op) == Branch::comparison;
    cases += fmt::format("    case {}: x = {}{}; break;\n", count++, coefficient(i.x),
                         compares ? " - " + coefficient(i.y) : "");
  }
  if (count == 0) return title + no_crossing_text;
  return title + fmt::format("enum {{ BRANCHES = {} }};\n\n", count) +
         "/* Coefficient k of an argument whose sign decides. */\n"
         "static double branch_argument(const @p_work *w, int i, int k)\n{\n  double x = 0.0;\n  switch (i) "
         "{\n" +
         cases + "    default: break;\n  }\n  return x;\n}\n\n" + crossing_text;
}

}  // namespace dalembert::session

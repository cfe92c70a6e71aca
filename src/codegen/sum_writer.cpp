// The sums over lower orders, as C.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {
namespace {

constexpr std::size_t sums_at_once = 4;  // groups, whose partial sums stay in registers

}  // namespace

// At odd k the velocity stage, at even k the position stage, which is one order ahead, adds the ends to what
// the order before has found. Sums of the position stage may need rows of the velocity stage, combinations of
// velocities of order k, and come behind them.
void ExpansionWriter::write_sums(Stage stage) {
  line("  if (k % 2) {");
  stage == Stage::velocity ? write_sum_ends(stage) : write_sum_loops(stage);
  line("  } else {");
  stage == Stage::velocity ? write_sum_loops(stage) : write_sum_ends(stage);
  line("  }");
}

void ExpansionWriter::write_reciprocals() {
  line("  const vn zero = {0}; (void)zero;");
  line("  const double *const over_k = m->reciprocals + 4*(k - 1);");
  line("  const double rk = over_k[0], rk1 = over_k[4], dk = over_k[2], dk1 = over_k[6];");
  line("  (void)rk; (void)rk1; (void)dk; (void)dk1;");
}

void ExpansionWriter::write_finished(std::size_t group, std::string sum) {
  const SumGroups::Group& g = sums_.groups()[group];
  const bool ahead = group < sums_.range(Stage::position).second;
  if (g.has_first())
    sum = fmt::format("({} + ((const vn *){})[{}]*((const vn *)first)[{}])", sum, ahead ? "w1" : "w", g.a,
                      group);
  const std::string over =
      fmt::format("over_each({}, {}, {})", sum, ahead ? "rk1" : "rk", ahead ? "dk1" : "dk");
  const bool all = std::all_of(g.per_order.begin(), g.per_order.end(), [](bool is) { return is; });
  if (!g.has_sums_per_order()) return line(fmt::format("  ((vn *)s)[{}] = {};", group, sum));
  if (all) return line(fmt::format("  ((vn *)s)[{}] = {};", group, over));
  std::string mixed;
  for (std::size_t lane = 0; lane < sums_.width(); ++lane)
    mixed += fmt::format("{}{}[{}]", lane > 0 ? ", " : "", g.per_order[lane] ? "d" : "a", lane);
  line(fmt::format("  {{ const vn a = {}, d = {}; ((vn *)s)[{}] = (vn){{{}}}; }}", sum,
                   fmt::format("over_each(a, {}, {})", ahead ? "rk1" : "rk", ahead ? "dk1" : "dk"), group,
                   mixed));
}

void ExpansionWriter::write_sum_loops(Stage stage) {
  const auto [first, last] = sums_.range(stage);
  const std::size_t chunks = (last - first + sums_at_once - 1) / sums_at_once;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    write_chunk(first + (last - first) * chunk / chunks, first + (last - first) * (chunk + 1) / chunks);
  }
}

// Every coefficient serves two orders, as in Convolutions::run_two_orders(). Few groups leave the processor
// waiting for each addition: several terms are added to sums of their own then.
void ExpansionWriter::write_chunk(std::size_t first, std::size_t last) {
  constexpr std::size_t chains = 8;  // that hide the latency of an addition
  const bool ahead = first < sums_.range(Stage::position).second;
  const std::size_t terms = std::max<std::size_t>(chains / (2 * (last - first)), 1);
  line(fmt::format("  {{ const vn *lo = (const vn *)w0 + {}, *hi = (const vn *)w{};", sums_.vectors(),
                   ahead ? std::string() : fmt::format(" - {}", sums_.vectors())));
  for (const std::size_t b : right_vectors(first, last))
    line(fmt::format("  const vn newest{0} = hi[{0}]; vn b{0} = zero;", b));
  for (std::size_t g = first; g < last; ++g) {
    for (std::size_t t = 0; t < terms; ++t) line(fmt::format("  vn s{0}_{1} = zero, n{0}_{1} = zero;", g, t));
  }
  line("  int j = 2;");
  const std::string end = ahead ? "k + 1" : "k";
  if (terms > 1)
    write_terms(first, last, terms, fmt::format("for (; j + {} < {}; j += {})", terms - 1, end, terms));
  write_terms(first, last, 1, fmt::format("for (; j < {}; ++j)", end));
  write_newest_terms(first, last);
  for (std::size_t g = first; g < last; ++g) {
    std::string sum = fmt::format("s{}_0", g), next = fmt::format("n{}_0", g);
    for (std::size_t t = 1; t < terms; ++t) {
      sum += fmt::format(" + s{}_{}", g, t);
      next += fmt::format(" + n{}_{}", g, t);
    }
    line(fmt::format("  ((vn *)next)[{}] = {};", g, next));
    write_finished(g, "(" + sum + ")");
  }
  line("  }");
}

// Those with the newest right operands come last: the others need not wait for them.
void ExpansionWriter::write_newest_terms(std::size_t first, std::size_t last) {
  const auto& groups = sums_.groups();
  const bool ahead = first < sums_.range(Stage::position).second;
  line(fmt::format("  lo = (const vn *)w0 + {};", sums_.vectors()));
  for (std::size_t g = first; g < last; ++g)
    line(fmt::format("  s{0}_0 += lo[{1}]*newest{2};", g, groups[g].a, groups[g].b));
  line(fmt::format("  if (k > {}) {{", ahead ? 1 : 2));
  for (std::size_t g = first; g < last; ++g)
    line(fmt::format("  n{0}_0 += lo[{1}]*newest{2};", g, sums_.vectors() + groups[g].a, groups[g].b));
  line("  }");
}

// The right operands of groups, each once.
std::vector<std::size_t> ExpansionWriter::right_vectors(std::size_t first, std::size_t last) const {
  std::vector<std::size_t> vectors;
  for (std::size_t g = first; g < last; ++g) {
    const std::size_t b = sums_.groups()[g].b;
    if (std::find(vectors.begin(), vectors.end(), b) == vectors.end()) vectors.push_back(b);
  }
  return vectors;
}

// s: sums of this order, n: of the next.
void ExpansionWriter::write_terms(std::size_t first, std::size_t last, std::size_t count,
                                  std::string_view loop) {
  line(fmt::format("  {} {{", loop));
  for (std::size_t t = 0; t < count; ++t) {
    line(fmt::format("  lo += {0}; hi -= {0};", sums_.vectors()));
    for (std::size_t g = first; g < last; ++g) {
      const SumGroups::Group& group = sums_.groups()[g];
      line(fmt::format("  {{ vn a = lo[{1}]; LOAD_ONCE(a); s{0}_{3} += a*hi[{2}]; n{0}_{3} += a*b{2}; }}", g,
                       group.a, group.b, t));
    }
    for (const std::size_t b : right_vectors(first, last)) line(fmt::format("  b{0} = hi[{0}];", b));
  }
  line("  }");
}

void ExpansionWriter::write_sum_ends(Stage stage) {
  const auto [first, last] = sums_.range(stage);
  line(fmt::format("  {{ const vn *const lo = (const vn *)w0 + {}, *const hi = (const vn *)w{};",
                   sums_.vectors(),
                   stage == Stage::position ? std::string() : fmt::format(" - {}", sums_.vectors())));
  line("  (void)lo; (void)hi;");
  for (std::size_t g = first; g < last; ++g) {
    const SumGroups::Group& group = sums_.groups()[g];
    line(fmt::format("  {{ const vn e = ((vn *)next)[{0}] + lo[{1}]*hi[{2}] + hi[{1}]*lo[{2}];", g, group.a,
                     group.b));
    write_finished(g, "e");
    line("  }");
  }
  line("  }");
}

}  // namespace dalembert

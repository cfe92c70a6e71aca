#include "expansion_writer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace dalembert {
namespace {

constexpr std::size_t sums_at_once = 4;  // groups, whose partial sums stay in registers

constexpr std::string_view preamble = R"(typedef double v4 __attribute__((vector_size(32), may_alias));
struct memory {
  double *rows;
  const double *constants, *factors, *position_factors, *velocity_factors;
  double *work, *right;
  void *host;
  const double *(*solve)(void *host, int k);
  void (*sincos)(const double *x, double *sine, double *cosine);
};
/* a/k, given r = 1/k rounded */
static inline double over(double a, double k, double r) {
  const double q = a * r;
  return q + (a - k * q) * r;
}
static inline v4 over4(v4 a, v4 k, v4 r) {
  const v4 q = a * r;
  return q + (a - k * q) * r;
}
)";

// As recurrence::power_at_zero().
constexpr std::string_view power_preamble =
    R"(static int natural(double c) { return c >= 0 && c <= 1e6 && c == (double)(int)c; }
static double power_at_zero(const double *a, const double *u, long stride, int n, int k) {
  int m = 1;
  while (m <= k && a[m * stride] == 0) ++m;
  if (n == 0 || n > k || (long)m * n > k) return 0;
  const int i = k - m * n;
  const double *b = a + m * stride, *w = u + (long)m * n * stride;
  double sum = i == 0;
  if (i == 0) {
    for (int p = 0; p < n; ++p) sum *= b[0];
    return sum;
  }
  for (int j = 1; j <= i; ++j) sum += (double)(n * j - i + j) * b[j * stride] * w[(i - j) * stride];
  return sum / (i * b[0]);
}
)";

}  // namespace

ExpansionSource ExpansionWriter::write() {
  source_.work_per_order = sums_.vectors() * SumGroups::width;
  source_.work_beside = 2 * sums_.groups().size() * SumGroups::width;
  write_preamble();
  write_values(Stage::position, position_function);
  write_values(Stage::velocity, velocity_function);
  write_start();
  text_is_of_rest_ = true;
  write_rest();
  if (is_possible_) source_.text = std::move(text_);
  return std::move(source_);
}

void ExpansionWriter::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
}

std::string ExpansionWriter::sum_of(const std::vector<Product>& products) {
  std::string text;
  for (const Product& p : products) {
    const bool is_first = text.empty();
    text += p.is_negative ? (is_first ? "-" : " - ") : (is_first ? "" : " + ");
    text += p.factor.empty() ? p.value : p.factor + "*" + p.value;
  }
  return text.empty() ? "0" : text;
}

void ExpansionWriter::write_preamble() {
  line("/* The Adomian recursion: coefficients z[place] of order k; r: rows, s: sums over lower orders. */");
  line(preamble);
  bool has_power = false;
  for (const auto& codes : plan_.stages) {
    for (const SeriesPlan::Segment& segment : codes.back().segments)
      has_power = has_power || segment.power != SeriesPlan::none;
  }
  if (has_power) line(power_preamble);
}

void ExpansionWriter::write_factors() {
  line("  const double *const c = m->constants; (void)c;");
  line(
      "  const double *const f = m->factors, *const fp = m->position_factors, *const fv = "
      "m->velocity_factors;");
  line("  (void)f; (void)fp; (void)fv;");
  for (const std::string& factor : factors_) line("  const double " + factor + ";");
}

// a_0, λ_0, v_1, q_2 from what the position stage has at order 1.
void ExpansionWriter::write_start() {
  line(fmt::format("int {}(const struct memory *m) {{", start_function));
  line(fmt::format("  double *const z0 = m->rows, *const z1 = z0 + {0}, *const z2 = z1 + {0};",
                   plan_.row_size));
  line("  double *const z = z0, *const right = m->right;");
  line("  const int k = 0;");
  if (!doubts_.empty()) {
    line("  double e = 0;");
    for (const std::string& doubt : doubts_) line("  " + doubt);
    line("  if (!(e == 0)) return 0;");
  }
  write_factors();
  write_rows(Stage::position, false, true);
  for (std::size_t i = 0; i < shape_.n; ++i) {
    const Scaled& f = shape_.f[i];
    const std::string x = f.x == no_register ? "" : "*" + at_start(static_cast<Place>(plan_.place(f.x)));
    line(fmt::format("  right[{}] = c[{}]{};", i, f.coefficient, x));
  }
  write_solution();
  write_accelerations_at_start();
  line("  return 1;\n}");
}

// Sums of what is there, at order 0: with their constants.
void ExpansionWriter::write_accelerations_at_start() {
  for (const SeriesPlan::Placed& i : code(Stage::acceleration).values) {
    if (i.op != Op::linear) is_possible_ = false;
    line(fmt::format("  {} = {};", at_start(i.result), value_of(i)));
  }
}

void ExpansionWriter::write_rest() {
  const std::size_t width = sums_.vectors() * SumGroups::width;
  const std::size_t results = sums_.groups().size() * SumGroups::width;
  line(fmt::format("\nvoid {}(const struct memory *m, int order) {{", rest_function));
  line(fmt::format("  double *const z0 = m->rows, *z = z0, *z1 = z + {0}, *z2 = z1 + {0};", plan_.row_size));
  line(fmt::format(
      "  double *const s = m->work, *const next = s + {0}, *w = s + {1}, *w1 = w + {2}, *w2 = w1 + {2};",
      results, 2 * results, width));
  line("  double *const w0 = w, *const right = m->right;");
  line("  (void)w0; (void)next; (void)z2; (void)w2;");
  write_factors();
  line("  int k = 0;");
  line(fmt::format("  for (int i = 0; i < {}; ++i) next[i] = 0;", results));
  write_rows(Stage::position, false, true);
  keep_inputs(0, 1, "z1", "w1", "1");
  keep_inputs(1, shape_.n, "z1", "w1", "1");
  keep_inputs(1 + shape_.n, shape_.n, "z1", "w1", "1");
  keep_inputs(1, shape_.n, "z2", "w2", "2");
  line("  for (k = 1; k < order; ++k) {");
  line(fmt::format("  z = z1; z1 = z2; z2 += {};", plan_.row_size));
  line(fmt::format("  w = w1; w1 = w2; w2 += {};", width));
  text_is_of_loop_ = true;
  write_sums();
  write_rows(Stage::velocity, true, true);
  write_vectors(Origin::velocity);
  for (std::size_t i = 0; i < shape_.n; ++i) {
    const std::string x = value(static_cast<Place>(plan_.place(shape_.force[i])), Stage::velocity);
    line(fmt::format("  right[{}] = {};", i, x.empty() ? "0" : x));
  }
  write_rows(Stage::position, true, false);
  write_vectors(Origin::position);
  write_solution();
  write_rows(Stage::acceleration, false, true);
  write_vectors(Origin::acceleration);
  line("  }");
  line("}");
}

// At odd k the velocity stage, at even k the position stage, which is one order ahead, adds the ends to what
// the order before has found.
void ExpansionWriter::write_sums() {
  line("  const v4 zero = {0, 0, 0, 0}; (void)zero;");
  line("  const double k1 = k + 1, rk = 1.0 / k, rk1 = 1.0 / k1;");
  line(
      "  const v4 vk = {k, k, k, k}, vk1 = {k1, k1, k1, k1}, vr = {rk, rk, rk, rk}, vr1 = {rk1, rk1, rk1, "
      "rk1};");
  line("  (void)vk; (void)vk1; (void)vr; (void)vr1;");
  line("  if (k % 2) {");
  write_sum_ends(Stage::velocity);
  write_sum_loops(Stage::position);
  line("  } else {");
  write_sum_loops(Stage::velocity);
  write_sum_ends(Stage::position);
  line("  }");
}

void ExpansionWriter::write_finished(std::size_t group, const std::string& sum) {
  const SumGroups::Group& g = sums_.groups()[group];
  const bool ahead = group < sums_.range(Stage::position).second;
  const std::string over = fmt::format("over4({}, {}, {})", sum, ahead ? "vk1" : "vk", ahead ? "vr1" : "vr");
  const bool all = std::all_of(g.per_order.begin(), g.per_order.end(), [](bool is) { return is; });
  if (!g.has_sums_per_order()) return line(fmt::format("  ((v4 *)s)[{}] = {};", group, sum));
  if (all) return line(fmt::format("  ((v4 *)s)[{}] = {};", group, over));
  std::string mixed;
  for (std::size_t lane = 0; lane < SumGroups::width; ++lane)
    mixed += fmt::format("{}{}[{}]", lane > 0 ? ", " : "", g.per_order[lane] ? "d" : "a", lane);
  line(fmt::format("  {{ const v4 a = {}, d = {}; ((v4 *)s)[{}] = (v4){{{}}}; }}", sum,
                   fmt::format("over4(a, {}, {})", ahead ? "vk1" : "vk", ahead ? "vr1" : "vr"), group,
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
  const auto& groups = sums_.groups();
  const bool ahead = first < sums_.range(Stage::position).second;
  const std::size_t vectors = sums_.vectors();
  const std::size_t terms = std::max<std::size_t>(chains / (2 * (last - first)), 1);
  line(fmt::format("  {{ const v4 *lo = (const v4 *)w0 + {}, *hi = (const v4 *)w{};", vectors,
                   ahead ? std::string() : fmt::format(" - {}", vectors)));
  std::vector<std::size_t> before;
  for (std::size_t g = first; g < last; ++g) {
    if (std::find(before.begin(), before.end(), groups[g].b) == before.end()) before.push_back(groups[g].b);
  }
  for (const std::size_t b : before) line(fmt::format("  v4 b{0} = hi[{0}];", b));
  for (std::size_t g = first; g < last; ++g) {
    line(fmt::format("  v4 s{0}_0 = lo[{1}]*b{2}, n{0}_0 = zero;", g, groups[g].a, groups[g].b));
    for (std::size_t t = 1; t < terms; ++t) line(fmt::format("  v4 s{0}_{1} = zero, n{0}_{1} = zero;", g, t));
  }
  const auto write_loop = [&](std::size_t count, std::string_view head) {
    line(fmt::format("  {} {{", head));
    for (std::size_t t = 0; t < count; ++t) {
      line(fmt::format("  lo += {0}; hi -= {0};", vectors));
      for (std::size_t g = first; g < last; ++g)
        line(fmt::format("  s{0}_{3} += lo[{1}]*hi[{2}]; n{0}_{3} += lo[{1}]*b{2};", g, groups[g].a,
                         groups[g].b, t));
      for (const std::size_t b : before) line(fmt::format("  b{0} = hi[{0}];", b));
    }
    line("  }");
  };
  line("  int j = 2;");
  const std::string end = ahead ? "k + 1" : "k";
  if (terms > 1) write_loop(terms, fmt::format("for (; j + {} < {}; j += {})", terms - 1, end, terms));
  write_loop(1, fmt::format("for (; j < {}; ++j)", end));
  for (std::size_t g = first; g < last; ++g) {
    std::string sum = fmt::format("s{}_0", g), next = fmt::format("n{}_0", g);
    for (std::size_t t = 1; t < terms; ++t) {
      sum += fmt::format(" + s{}_{}", g, t);
      next += fmt::format(" + n{}_{}", g, t);
    }
    line(fmt::format("  ((v4 *)next)[{}] = {};", g, next));
    write_finished(g, "(" + sum + ")");
  }
  line("  }");
}

void ExpansionWriter::write_sum_ends(Stage stage) {
  const auto [first, last] = sums_.range(stage);
  line(fmt::format("  {{ const v4 *const lo = (const v4 *)w0 + {}, *const hi = (const v4 *)w{};",
                   sums_.vectors(),
                   stage == Stage::position ? std::string() : fmt::format(" - {}", sums_.vectors())));
  line("  (void)lo; (void)hi;");
  for (std::size_t g = first; g < last; ++g) {
    const SumGroups::Group& group = sums_.groups()[g];
    line(fmt::format("  {{ const v4 e = ((v4 *)next)[{0}] + lo[{1}]*hi[{2}] + hi[{1}]*lo[{2}];", g, group.a,
                     group.b));
    write_finished(g, "e");
    line("  }");
  }
  line("  }");
}

// Position rows are of order k + 1, and stay until the velocity stage of the next order has read them.
void ExpansionWriter::write_rows(Stage stage, bool has_sums, bool declares) {
  const bool ahead = stage == Stage::position;
  const std::string_view order = ahead ? "(k + 1)" : "k";
  for (const SeriesPlan::Segment& segment : code(stage).segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      std::vector<Product> products = recipes_[i].products;
      if (recipes_[i].has_sum && !has_sums) products.erase(products.begin());
      const std::string row = fmt::format("r{}", i);
      line(fmt::format("  {}{} = {};", declares ? "double " : "", row, sum_of(products)));
      if (segment.power != SeriesPlan::none && i + 1 == segment.last)
        write_power(code(stage).nonlinear[segment.power].instruction, row, order);
      const auto place = static_cast<Place>(plan_.first_row + i);
      if (is_looked_at_[place]) line(fmt::format("  {}[{}] = {};", ahead ? "z1" : "z", place, row));
      if (text_is_of_rest_) {
        for (const bool is_derivative : {false, true})
          keep({place, is_derivative}, ahead ? "w1" : "w", order, row);
      }
    }
  }
}

void ExpansionWriter::write_power(const Instruction& power, const std::string& row, std::string_view order) {
  line(
      fmt::format("  if (z0[{0}] == 0 && natural(c[{1}])) {2} = power_at_zero(z0 + {0}, z0 + {3}, {4}, "
                  "(int)c[{1}], {5});",
                  power.x, power.constant, row, power.result, plan_.row_size, order));
}

// −(k+1) times the constraints' sums; then a_k, v_{k+1}, q_{k+2}, λ_k.
void ExpansionWriter::write_solution() {
  const std::size_t n = shape_.n;
  const std::size_t rows = shape_.active.size();
  for (std::size_t j = 0; j < rows; ++j) {
    const Register sum = shape_.constraint[shape_.active[j]];
    const std::string x = value(static_cast<Place>(plan_.place(sum)), Stage::position);
    line(fmt::format("  right[{}] = {};", n + j, x.empty() ? "0" : "-(k + 1.0)*" + x));
  }
  line("  { const double *const x = m->solve(m->host, k);");
  line("  const double o1 = k + 1, o2 = k + 2, p1 = 1/o1, p2 = 1/o2;");
  const auto place = [&](std::size_t input) { return plan_.places[program_.inputs[input]]; };
  const auto keep_input = [&](std::size_t input, std::string_view vectors, std::string_view order,
                              const std::string& x) {
    if (!text_is_of_rest_) return;
    for (const bool is_derivative : {false, true}) keep({place(input), is_derivative}, vectors, order, x);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t q = 1 + i, v = 1 + n + i, a = 1 + 2 * n + i;
    line(fmt::format("  const double nv{0} = over(x[{0}], o1, p1), nq{0} = over(nv{0}, o2, p2);", i));
    line(
        fmt::format("  z[{}] = x[{}]; z1[{}] = nv{}; z2[{}] = nq{};", place(a), i, place(v), i, place(q), i));
    keep_input(a, "w", "k", fmt::format("x[{}]", i));
    keep_input(v, "w1", "(k + 1)", fmt::format("nv{}", i));
    keep_input(q, "w2", "(k + 2)", fmt::format("nq{}", i));
  }
  for (std::size_t j = 0; j < rows; ++j) {
    const std::size_t lambda = 1 + 3 * n + shape_.active[j];
    line(fmt::format("  z[{}] = x[{}];", place(lambda), n + j));
    keep_input(lambda, "w", "k", fmt::format("x[{}]", n + j));
  }
  for (const Origin origin : {Origin::solution_a, Origin::solution_v, Origin::solution_q})
    write_vectors(origin);
  line("  }");
}

// Where the coefficients of a place come from: those of one origin are there at the same time.
auto ExpansionWriter::origin_of(Place place) const -> Origin {
  if (place >= plan_.first_row && place - plan_.first_row < plan_.rows.size()) {
    const Stage stage = row_stages_[place - plan_.first_row];
    return stage == Stage::position       ? Origin::position
           : stage == Stage::velocity     ? Origin::velocity
           : stage == Stage::acceleration ? Origin::acceleration
                                          : Origin::none;
  }
  const std::size_t input = inputs_[place];
  if (input == 0 || input > program_.inputs.size()) return Origin::input;
  return input <= shape_.n       ? Origin::solution_q
         : input <= 2 * shape_.n ? Origin::solution_v
                                 : Origin::solution_a;
}

// None: its lanes have several.
auto ExpansionWriter::origin_of(const SumGroups::Vector& vector) const -> Origin {
  Origin origin = Origin::none;
  for (const Operand& operand : vector) {
    if (operand.place == 0) continue;
    const Origin own = origin_of(operand.place);
    if (origin != Origin::none && own != origin) return Origin::none;
    origin = own;
  }
  return origin == Origin::input ? Origin::none : origin;
}

// The name of a coefficient that write_solution() has found, or of a row.
std::string ExpansionWriter::solved(Place place) const {
  if (place == 0) return "0";
  if (inputs_[place] == no_input) return fmt::format("r{}", place - plan_.first_row);
  const std::size_t i = inputs_[place] - 1, n = shape_.n;
  if (i < n) return fmt::format("nq{}", i);
  if (i < 2 * n) return fmt::format("nv{}", i - n);
  if (i < 3 * n) return fmt::format("x[{}]", i - 2 * n);
  const auto row = std::find(shape_.active.begin(), shape_.active.end(), i - 3 * n);
  return row == shape_.active.end()
             ? "0"
             : fmt::format("x[{}]", n + static_cast<std::size_t>(row - shape_.active.begin()));
}

// In one piece: a vector that was stored number by number cannot be loaded before all of them have arrived.
void ExpansionWriter::write_vectors(Origin origin) {
  if (!text_is_of_loop_) return;
  const bool ahead = origin == Origin::position || origin == Origin::solution_v;
  const std::string_view to = origin == Origin::solution_q ? "w2" : ahead ? "w1" : "w";
  const std::string_view order = origin == Origin::solution_q ? "(k + 2)" : ahead ? "(k + 1)" : "k";
  for (const auto& [vector, number] : sums_.numbered_vectors()) {
    if (origin_of(vector) != origin) continue;
    std::string lanes;
    for (const Operand& operand : vector) {
      const std::string factor = operand.is_derivative && operand.place != 0 ? fmt::format("{}*", order) : "";
      lanes += (lanes.empty() ? "" : ", ") + factor + solved(operand.place);
    }
    line(fmt::format("  ((v4 *){})[{}] = (v4){{{}}};", to, number, lanes));
  }
}

void ExpansionWriter::keep(Operand operand, std::string_view vectors, std::string_view order,
                           const std::string& value) {
  for (const std::size_t slot : sums_.slots(operand)) {
    if (text_is_of_loop_ && is_whole_[slot / SumGroups::width]) continue;
    line(operand.is_derivative ? fmt::format("  {}[{}] = {}*{};", vectors, slot, order, value)
                               : fmt::format("  {}[{}] = {};", vectors, slot, value));
  }
}

void ExpansionWriter::keep_inputs(std::size_t first, std::size_t count, std::string_view row,
                                  std::string_view vectors, std::string_view order) {
  for (std::size_t i = first; i < first + count; ++i) {
    const Place place = plan_.places[program_.inputs[i]];
    for (const bool is_derivative : {false, true})
      keep({place, is_derivative}, vectors, order, fmt::format("{}[{}]", row, place));
  }
}

ExpansionSource write_expansion(const RecursionShape& shape) { return ExpansionWriter(shape).write(); }

}  // namespace dalembert

#include "expansion_writer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace dalembert {
namespace {

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
  if (is_possible_) {
    source_.text = std::move(text_);
  } else {
    source_.reason = "the program has a form that is not written as C";
  }
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

ExpansionSource write_expansion(const RecursionShape& shape) {
  if (const std::size_t rows = shape.plan->rows.size(); rows > most_rows) {
    ExpansionSource source;
    source.reason =
        fmt::format("the series have {} rows; more than {} are left to the interpreter", rows, most_rows);
    return source;
  }
  return ExpansionWriter(shape).write();
}

}  // namespace dalembert

#include "lanes_writer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {
namespace {

constexpr std::string_view lanes_preamble = R"(struct memory {
  num *rows;
  const num *constants, *factors, *position_factors, *velocity_factors;
  num *streams, *right;
  long stride;
  void *host;
  const num *(*solve)(void *host, int k);
};
/* a/k, given 1/k = r + d: as accurate as a division, and sooner there */
static inline num over(num a, double r, double d) { return a*r + a*d; }
static inline num root(num x) {
  for (unsigned i = 0; i < sizeof x/sizeof x[0]; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
}
)";

}  // namespace

LanesWriter::LanesWriter(const RecursionShape& shape, std::size_t lanes)
    : shape_(shape),
      plan_(*shape.plan),
      program_(*shape.plan->program),
      lanes_(lanes),
      row_stages_(plan_.rows.size(), Stage::constant),
      is_nonlinear_(plan_.rows.size(), false),
      is_looked_at_(plan_.row_size, false),
      is_late_(plan_.rows.size(), false) {
  for (const Register r : shape.looked_at) is_looked_at_[plan_.place(r)] = true;
  find_stages();
  find_shared_products();
  for (const Stage stage : {Stage::position, Stage::velocity}) find_sums(stage);
  is_possible_ = is_possible_ && code(Stage::acceleration).nonlinear.empty();
}

void LanesWriter::find_stages() {
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) {
    for (const SeriesPlan::Segment& segment : code(stage).segments) {
      std::fill(row_stages_.begin() + segment.first, row_stages_.begin() + segment.last, stage);
      is_possible_ = is_possible_ && segment.power == SeriesPlan::none;
    }
  }
  const auto is_of_position = [&](Place place) {
    return place >= plan_.first_row && place - plan_.first_row < plan_.rows.size() &&
           row_stages_[place - plan_.first_row] == Stage::position;
  };
  for (const SeriesPlan::Segment& segment : code(Stage::acceleration).segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      for (const Place place : {plan_.rows[i].x, plan_.rows[i].y})
        if (is_of_position(place)) is_late_[place - plan_.first_row] = true;
    }
  }
}

void LanesWriter::find_sums(Stage stage) {
  const Code& own = code(stage);
  std::map<Place, Place> derived;
  for (const SeriesPlan::Derivative& one : own.derivatives) derived[one.dx] = one.x;
  const auto stream_of = [&](Place place) {
    const auto found = derived.find(place);
    return found == derived.end() ? stream(place, false) : stream(found->second, true);
  };
  for (std::size_t i = 0; i < own.nonlinear.size(); ++i) {
    const auto& [instruction, first_row, first] = own.nonlinear[i];
    const std::uint32_t last =
        i + 1 < own.nonlinear.size() ? own.nonlinear[i + 1].pair : own.sums.pair_count();
    for (std::uint32_t row = first_row;
         row <= std::max(instruction.result, instruction.second_result) - plan_.first_row; ++row)
      is_nonlinear_[row] = true;
    const std::string found = find_factors(stage, own.nonlinear[i], static_cast<std::uint32_t>(i));
    if (instruction.op == Op::sincos && is_slope_.contains(instruction.result)) continue;
    for (std::uint32_t pair = first; pair < last; ++pair) {
      const std::uint32_t place = own.sums.places[pair];
      std::string factor = instruction.op == Op::sincos && pair > first && !found.empty() ? "-1" : found;
      if (factor.empty()) factor = fmt::format("{}[{}]", stage == Stage::position ? "fp" : "fv", place);
      sums(stage).push_back({place, stream_of(own.sums.a[place]), stream_of(own.sums.b[place]),
                             place < own.sums.per_order, factor});
    }
  }
}

std::string LanesWriter::operand_at(std::size_t stream, std::string_view order) const {
  return fmt::format("t[{}*{} + {}]", order, streams_.size(), stream);
}

std::size_t LanesWriter::stream(Place place, bool is_derivative) {
  return streams_.try_emplace({place, is_derivative}, streams_.size()).first->second;
}

LanesSource LanesWriter::write() {
  write_begin();
  line("  for (int k = 1; k < order; ++k) {");
  line(fmt::format("  z = z1; z1 = z2; z2 += {};", plan_.row_size));
  line(
      "  const double k1 = k + 1, rk = 1.0 / k, rk1 = 1.0 / k1, dk = (1 - k*rk)*rk, dk1 = (1 - k1*rk1)*rk1;");
  line("  (void)rk; (void)rk1; (void)dk; (void)dk1; (void)z2;");
  write_sums(Stage::velocity);
  write_rows(Stage::velocity);
  write_right_sides();
  write_sums(Stage::position);
  for (std::size_t i = 0; i < is_late_.size(); ++i)
    if (is_late_[i]) line(fmt::format("  const num l{0} = r{0};", i));
  write_rows(Stage::position);
  write_constraint_sides();
  write_solution();
  write_rows(Stage::acceleration);
  line("  }\n}");
  constexpr Stage position[] = {Stage::position}, velocity[] = {Stage::velocity};
  text_ += write_lane_values(plan_, position, lanes_position_function);
  text_ += write_lane_values(plan_, velocity, lanes_velocity_function);
  source_.lanes = lanes_;
  source_.streams = streams_.size();
  if (is_possible_) {
    source_.text = std::move(text_);
  } else {
    source_.reason = "the program has a form that is not written as C";
  }
  return std::move(source_);
}

void LanesWriter::write_begin() {
  line(
      "/* The Adomian recursion: coefficients z[place] of order k; r: rows, s: sums over lower orders, t: "
      "their");
  line("   operands, order by order. Each number is that of several trajectories. */");
  // As memory of this program is aligned, which depends on the instructions that it is compiled for.
  const std::size_t aligned = lanes_ == 8 ? alignof(Lanes<8>) : alignof(Lanes<4>);
  line(fmt::format("typedef double num __attribute__((vector_size({}), aligned({}), may_alias));",
                   sizeof(double) * lanes_, aligned));
  line(lanes_preamble);
  line(fmt::format("void {}(const struct memory *m, int order) {{", lanes_function));
  line(fmt::format("  num *z = m->rows, *z1 = z + {0}, *z2 = z1 + {0};", plan_.row_size));
  line("  const num zero = {0};");
  line(
      "  const num *const f = m->factors, *const fp = m->position_factors, *const fv = m->velocity_factors;");
  line("  const num *const c = m->constants, *const z0 = m->rows;");
  line("  (void)f; (void)fp; (void)fv; (void)zero; (void)c; (void)z0;");
  text_ += definitions_;
  line("  num *const t = m->streams;");  // operands of an order follow each other: one pointer serves all
  for (const Stage stage : {Stage::position, Stage::velocity}) {
    for (const Sum& sum : sums(stage)) {
      const std::string name = fmt::format("{}{}", stage == Stage::position ? "p" : "v", sum.place);
      finished_[{stage, sum.place}] = "s" + name;
      line(fmt::format("  num s{0} = zero, n{0} = zero;", name));
    }
  }
  for (std::size_t i = 0; i < plan_.rows.size(); ++i) {
    if (row_stages_[i] == Stage::constant) continue;
    line(row_stages_[i] == Stage::position ? fmt::format("  num r{} = z1[{}];", i, plan_.first_row + i)
                                           : fmt::format("  num r{};", i));
  }
  write_first_streams();
}

// Orders that are there when the recursion begins: 1 of positions, t and v, 2 of q.
void LanesWriter::write_first_streams() {
  for (const auto& [operand, number] : streams_) {
    const auto& [place, is_derivative] = operand;
    const bool is_row = place >= plan_.first_row && place - plan_.first_row < plan_.rows.size();
    if (is_row) {
      if (row_stages_[place - plan_.first_row] == Stage::position)
        line(fmt::format("  {} = z1[{}];", operand_at(number, "1"), place));
      continue;
    }
    for (std::size_t i = 0; i < 1 + 2 * shape_.n; ++i) {
      if (input(i) != place) continue;
      line(fmt::format("  {} = z1[{}];", operand_at(number, "1"), place));
      if (i >= 1 && i <= shape_.n)
        line(fmt::format("  {} = {}z2[{}];", operand_at(number, "2"), is_derivative ? "2.0*" : "", place));
    }
  }
}

// The coefficient of the order that a stage computes; empty: zero. Rows of the position stage are one order
// ahead when accelerations come.
std::string LanesWriter::value(Place place, Stage where) {
  if (place == 0) return "";
  const std::size_t row = place - plan_.first_row;
  if (place < plan_.first_row || row >= plan_.rows.size())
    return fmt::format("{}[{}]", where == Stage::position ? "z1" : "z", place);
  const Stage own = row_stages_[row];
  if (own == Stage::constant) return "";
  if (own > where) is_possible_ = false;
  return fmt::format("{}{}", where == Stage::acceleration && own == Stage::position ? "l" : "r", row);
}

// The x (0) or y (1) of a row with its factor; empty: zero.
std::string LanesWriter::term(std::uint32_t row, std::size_t which, ConstantId constant, Place place,
                              Stage where) {
  const std::string x = value(place, where);
  if (x.empty()) return "";
  if (const auto found = factors_.find(row); found != factors_.end()) {
    const Factors& of = found->second;
    const std::string& factor = which == 0 ? of.x : of.y;
    const bool is_negative = which == 0 ? of.is_x_negative : of.is_y_negative;
    return (is_negative ? "-" : "") + (factor.empty() ? x : factor + "*" + x);
  }
  const std::string by_factor = fmt::format("f[{}]*{}", 2 * row + which, x);
  if (is_nonlinear_[row]) return by_factor;
  if (constant == 0) return "";
  if (is_number(constant, 1)) return x;
  if (is_number(constant, -1)) return "-" + x;
  return by_factor;
}

std::string LanesWriter::row_text(std::uint32_t row, Stage stage) {
  const SeriesPlan::Row& r = plan_.rows[row];
  if (const auto slope = is_slope_.find(static_cast<Place>(plan_.first_row + row)); slope != is_slope_.end())
    return fmt::format("{}over({}, rk1, dk1)", slope->second.second ? "-" : "",
                       value(slope->second.first, Stage::velocity));
  const auto sum = finished_.find({stage, r.sum});
  std::string text = sum == finished_.end() ? "" : sum->second;
  for (const std::string& one : {term(row, 0, plan_.row_constants[row].x, r.x, stage),
                                 term(row, 1, plan_.row_constants[row].y, r.y, stage)}) {
    if (one.empty()) continue;
    text += text.empty() || one.front() == '-' ? one : " + " + one;
  }
  return text.empty() ? "zero" : text;
}

void LanesWriter::write_rows(Stage stage) {
  const bool ahead = stage == Stage::position;
  for (const SeriesPlan::Segment& segment : code(stage).segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      const auto place = static_cast<Place>(plan_.first_row + i);
      line(fmt::format("  r{} = {};", i, row_text(i, stage)));
      if (is_looked_at_[place]) line(fmt::format("  {}[{}] = r{};", ahead ? "z1" : "z", place, i));
      keep(place, ahead ? "(k + 1)" : "k", fmt::format("r{}", i));
    }
  }
}

void LanesWriter::keep(Place place, std::string_view order, const std::string& value) {
  if (const auto found = streams_.find({place, false}); found != streams_.end())
    line(fmt::format("  {} = {};", operand_at(found->second, order), value));
  if (const auto found = streams_.find({place, true}); found != streams_.end())
    line(fmt::format("  {} = (double){}*{};", operand_at(found->second, order), order, value));
}

// Before the rows of positions go on to the next order.
void LanesWriter::write_right_sides() {
  for (std::size_t i = 0; i < shape_.n; ++i) {
    const std::string x = value(static_cast<Place>(plan_.place(shape_.force[i])), Stage::velocity);
    line(fmt::format("  m->right[{}] = {};", i, x.empty() ? "zero" : x));
  }
}

void LanesWriter::write_constraint_sides() {
  for (std::size_t j = 0; j < shape_.active.size(); ++j) {
    const Register sum = shape_.constraint[shape_.active[j]];
    const std::string x = value(static_cast<Place>(plan_.place(sum)), Stage::position);
    line(fmt::format("  m->right[{}] = {};", shape_.n + j, x.empty() ? "zero" : "-k1*" + x));
  }
}

// a_k, λ_k, v_{k+1}, q_{k+2}
void LanesWriter::write_solution() {
  const std::size_t n = shape_.n;
  line("  const num *const x = m->solve(m->host, k); (void)x;");
  line("  const double o2 = k1*(k + 2), r2 = 1/o2, d2 = (1 - o2*r2)*r2; (void)r2; (void)d2;");
  for (std::size_t i = 0; i < n; ++i) {
    line(
        fmt::format("  const num a{0} = x[{0}], u{0} = over(a{0}, rk1, dk1), w{0} = over(a{0}, r2, d2);", i));
    line(fmt::format("  z[{}] = a{}; z1[{}] = u{}; z2[{}] = w{};", input(1 + 2 * n + i), i, input(1 + n + i),
                     i, input(1 + i), i));
    keep(input(1 + 2 * n + i), "k", fmt::format("a{}", i));
    keep(input(1 + n + i), "(k + 1)", fmt::format("u{}", i));
    keep(input(1 + i), "(k + 2)", fmt::format("w{}", i));
  }
  for (std::size_t j = 0; j < shape_.active.size(); ++j) {
    const Place lambda = input(1 + 3 * n + shape_.active[j]);
    line(fmt::format("  z[{}] = x[{}];", lambda, n + j));
    keep(lambda, "k", fmt::format("x[{}]", n + j));
  }
}

LanesSource write_lanes(const RecursionShape& shape, std::size_t lanes) {
  const std::size_t rows = shape.plan->rows.size();
  if (rows <= most_rows) return LanesWriter(shape, lanes).write();
  LanesSource none;
  none.reason =
      fmt::format("the series have {} rows; more than {} are left to the interpreter", rows, most_rows);
  return none;
}

}  // namespace dalembert

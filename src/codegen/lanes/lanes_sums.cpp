// Sums over lower orders of several trajectories, as C.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lanes_writer.hpp"

namespace dalembert {

// What shares right operands goes together, as much as the registers of this machine hold: two sums, an
// operand and the one before it.
std::vector<std::vector<LanesWriter::Sum>> LanesWriter::chunks_of(std::vector<Sum> sums) const {
  const std::size_t registers = lanes_ == 8 ? 30 : 14;
  std::map<std::size_t, std::size_t> count;
  for (const Sum& sum : sums) ++count[sum.a], ++count[sum.b];
  for (Sum& sum : sums)
    if (count[sum.a] > count[sum.b]) std::swap(sum.a, sum.b);
  std::ranges::stable_sort(sums, [&](const Sum& x, const Sum& y) {
    return std::pair(count[y.b], x.b) < std::pair(count[x.b], y.b);
  });
  std::vector<std::vector<Sum>> chunks;
  std::size_t used = registers;
  for (const Sum& sum : sums) {
    const bool is_new = chunks.empty() || chunks.back().empty() || chunks.back().back().b != sum.b;
    used += is_new ? 4 : 2;
    if (used > registers) {
      chunks.emplace_back();
      used = 4 + 1;
    }
    chunks.back().push_back(sum);
  }
  return chunks;
}

// At even orders K the sums of K and, with what is loaded for them, those of K + 1 but for their two ends.
void LanesWriter::write_sums(Stage stage) {
  std::vector<Sum>& own = sums(stage);
  if (own.empty()) return;
  const std::string K = stage == Stage::position ? "(k + 1)" : "k";
  const std::string before = stage == Stage::position ? "k" : "(k - 1)";
  line(fmt::format("  if ({} % 2 == 0) {{", K));
  for (const std::vector<Sum>& some : chunks_of(own)) write_loops(stage, some);
  line("  } else {");
  for (const Sum& sum : own) {
    const std::string name = finished_[{stage, sum.place}];
    const std::string next = "n" + name.substr(1);
    finish_sum(stage, sum,
               fmt::format("{} + {}*{} + {}*{}", next, operand_at(sum.a, "1"), operand_at(sum.b, before),
                           operand_at(sum.a, before), operand_at(sum.b, "1")));
  }
  line("  }");
}

void LanesWriter::write_loops(Stage stage, const std::vector<Sum>& some) {
  const std::string K = stage == Stage::position ? "(k + 1)" : "k";
  const std::string before = stage == Stage::position ? "k" : "(k - 1)";
  std::vector<std::size_t> rights;
  for (const Sum& sum : some)
    if (std::ranges::find(rights, sum.b) == rights.end()) rights.push_back(sum.b);
  line("  {");
  for (const std::size_t b : rights) line(fmt::format("  num b{} = {};", b, operand_at(b, before)));
  for (std::size_t i = 0; i < some.size(); ++i)
    line(fmt::format("  num a{0} = {1}*b{2}, c{0} = zero;", i, operand_at(some[i].a, "1"), some[i].b));
  line(fmt::format("  for (int j = 2; j < {}; ++j) {{", K));
  for (const std::size_t b : rights)
    line(fmt::format("  const num h{} = {};", b, operand_at(b, fmt::format("({} - j)", K))));
  for (std::size_t i = 0; i < some.size(); ++i)
    line(fmt::format("  {{ const num x = {1}; a{0} += x*h{2}; c{0} += x*b{2}; }}", i,
                     operand_at(some[i].a, "j"), some[i].b));
  for (const std::size_t b : rights) line(fmt::format("  b{0} = h{0};", b));
  line("  }");
  for (std::size_t i = 0; i < some.size(); ++i) {
    line(fmt::format("  n{} = c{};", finished_[{stage, some[i].place}].substr(1), i));
    finish_sum(stage, some[i], fmt::format("a{}", i));
  }
  line("  }");
}

void LanesWriter::finish_sum(Stage stage, const Sum& sum, const std::string& text) {
  const bool ahead = stage == Stage::position;
  std::string result = sum.per_order
                           ? fmt::format("over({}, {}, {})", text, ahead ? "rk1" : "rk", ahead ? "dk1" : "dk")
                           : "(" + text + ")";
  if (sum.factor == "-1") {
    result = "-" + result;
  } else if (sum.factor != "1") {
    result += fmt::format("*({})", sum.factor);
  }
  line(fmt::format("  {} = {};", finished_[{stage, sum.place}], result));
}

}  // namespace dalembert

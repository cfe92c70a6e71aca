#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/tape/operations.hpp>
#include <dalembert/tape/series_plan.hpp>

#include "parts.hpp"
#include "schedule.hpp"

namespace dalembert {
namespace {

using Place = SeriesPlan::Place;
using Placed = SeriesPlan::Placed;
using Code = SeriesPlan::Code;
constexpr std::uint32_t none = SeriesPlan::none;

// How many rows an instruction takes.
std::size_t row_count(const Instruction& instruction) {
  if (instruction.op == Op::linear) return std::max<std::size_t>(instruction.term_count, 2) - 1;
  return rows_of(instruction.op).size();
}

std::uint32_t whole_registers(std::uint32_t count) {
  constexpr std::uint32_t lanes = native_lanes;
  return (count + lanes - 1) / lanes * lanes;
}

class PlanBuilder {
 public:
  PlanBuilder(const Program& program, const PlanParts& parts) : program_(program) {
    plan_.program = &program;
    std::size_t codes = 1;
    if (parts.count > 1) {
      parts_ = find_parts(program, parts.input_places, static_cast<std::uint32_t>(parts.count));
      codes += static_cast<std::size_t>(parts.count);
    }
    for (std::size_t stage = 0; stage < plan_.stages.size(); ++stage) {
      plan_.stages[stage].resize(codes);
      pairs_[stage].resize(codes);
    }
  }

  SeriesPlan build(std::span<const Scheduled> scheduled) {
    place_registers(scheduled);
    list_values();
    for (const Scheduled& instruction : scheduled) add(instruction);
    for (std::size_t stage = 0; stage < plan_.stages.size(); ++stage) {
      for (std::size_t part = 0; part < plan_.stages[stage].size(); ++part)
        place_sums(plan_.stages[stage][part], pairs_[stage][part]);
    }
    return std::move(plan_);
  }
  std::span<const std::uint32_t> parts() const { return parts_; }

 private:
  struct Pair {
    Place a;
    Place b;
    bool per_order;
  };

  // Zero, inputs, results of rows, and registers that have no row because nothing depends on them.
  void place_registers(std::span<const Scheduled> scheduled) {
    std::vector<Place>& places = plan_.places;
    places.assign(program_.register_count(), 0);
    for (const Register input : program_.inputs) {
      if (input != no_register) places[input] = next_place();
    }
    plan_.first_row = static_cast<Place>(plan_.row_size);
    for (const Scheduled& instruction : scheduled) {
      plan_.row_size += row_count(instruction);
      const auto last = static_cast<Place>(plan_.row_size - 1);
      places[instruction.result] = last;
      if (instruction.second_result == no_register) continue;
      places[instruction.result] = last - 1;
      places[instruction.second_result] = last;
    }
    for (const Instruction& instruction : program_.instructions) {
      for (const Register r : {instruction.result, instruction.second_result}) {
        if (r != no_register && places[r] == 0) places[r] = next_place();
      }
    }
  }

  Place next_place() { return static_cast<Place>(plan_.row_size++); }
  Place next_row_place() const { return plan_.first_row + static_cast<Place>(plan_.rows.size()); }

  Placed placed(const Instruction& instruction) const {
    Placed result{instruction};
    for (Register* r : {&result.result, &result.second_result, &result.x, &result.y, &result.z})
      *r = static_cast<Place>(plan_.place(*r));
    return result;
  }

  // All instructions but past products, which are zero at order 0, and sums of them.
  void list_values() {
    std::vector<bool> is_past(program_.register_count(), false);
    for (std::size_t n = 0; n < program_.instructions.size(); ++n) {
      const Instruction& i = program_.instructions[n];
      const std::span<const LinearTerm> terms(program_.terms.data() + i.first_term, i.term_count);
      is_past[i.result] =
          i.op == Op::past_product ||
          std::any_of(terms.begin(), terms.end(), [&](const auto& t) { return is_past[t.x]; });
      if (is_past[i.result]) continue;
      Code& code = plan_.stages[static_cast<std::size_t>(i.stage)][parts_.empty() ? 0 : parts_[n]];
      code.values.push_back(placed(i));
      if (has_branches(i.op)) plan_.branches.push_back(plan_.places[i.result]);
      code.results.push_back(i.result);
      code.values.back().first_term = static_cast<std::uint32_t>(plan_.terms.size());
      for (const LinearTerm& t : terms) plan_.terms.push_back({t.coefficient, plan_.places[t.x]});
    }
  }

  void add(const Scheduled& instruction) {
    const auto stage = static_cast<std::size_t>(instruction.stage);
    code_ = &plan_.stages[stage][instruction.part];
    code_pairs_ = &pairs_[stage][instruction.part];
    std::vector<SeriesPlan::Segment>& segments = code_->segments;
    const auto first = static_cast<std::uint32_t>(plan_.rows.size());
    if (segments.empty() || segments.back().power != none) segments.push_back({first, first, none});
    if (instruction.op == Op::linear) {
      add_linear(instruction);
    } else {
      const auto pair = static_cast<std::uint32_t>(code_pairs_->size());
      code_->nonlinear.push_back({placed(instruction), first, pair});
      add_rows(code_->nonlinear.back().instruction);
    }
    segments.back().last = static_cast<std::uint32_t>(plan_.rows.size());
    if (instruction.op == Op::power)
      segments.back().power = static_cast<std::uint32_t>(code_->nonlinear.size() - 1);
  }

  void add_row(std::uint32_t pair, Place x = 0, Place y = 0) {
    plan_.rows.push_back({pair, x, y});
    plan_.row_constants.push_back({});
  }

  // c₁ x₁ + c₂ x₂, then each further term added to the row before.
  void add_linear(const Instruction& instruction) {
    constexpr ConstantId one = 1;
    const LinearTerm* terms = program_.terms.data() + instruction.first_term;
    const auto x = [&](std::uint32_t i) { return plan_.places[terms[i].x]; };
    const std::uint32_t count = instruction.term_count;
    add_row(none, count > 0 ? x(0) : 0, count > 1 ? x(1) : 0);
    if (count > 0) plan_.row_constants.back().x = terms[0].coefficient;
    if (count > 1) plan_.row_constants.back().y = terms[1].coefficient;
    for (std::uint32_t i = 2; i < count; ++i) {
      add_row(none, x(i), next_row_place() - 1);
      plan_.row_constants.back() = {terms[i].coefficient, one};
    }
  }

  Place derivative_of(Place x) {
    for (const SeriesPlan::Derivative& known : code_->derivatives) {
      if (known.x == x) return known.dx;
    }
    code_->derivatives.push_back({x, next_place()});
    return code_->derivatives.back().dx;
  }

  std::uint32_t add_pair(Place a, Place b, bool per_order) {
    code_pairs_->push_back({a, b, per_order});
    return static_cast<std::uint32_t>(code_pairs_->size() - 1);
  }

  // The sums and operands of an instruction's rows; their factors depend on the values at order 0.
  void add_rows(const Placed& i) {
    const Place first = next_row_place();
    const auto place_of = [&](Source source) -> Place {
      if (source == Source::given) return plan_.held_sign.emplace(i.result, next_place()).first->second;
      if (source >= Source::row0 && source <= Source::row2)
        return first + static_cast<Place>(source) - static_cast<Place>(Source::row0);
      const Register place = operand(i, source);
      return place == no_register ? 0 : place;
    };
    for (const RecurrenceRow& row : rows_of(i.op)) {
      std::uint32_t pair = none;
      if (!row.sum.is_empty()) {
        const Place a = place_of(row.sum.a);
        pair = add_pair(row.sum.is_weighted ? derivative_of(a) : a, place_of(row.sum.b), row.sum.is_weighted);
      }
      add_row(pair, place_of(row.x), place_of(row.y));
    }
  }

  // The pairs of a code in the order of Sums, and the places of its rows' sums.
  void place_sums(Code& code, std::span<const Pair> pairs) {
    SeriesPlan::Sums& sums = code.sums;
    const auto count = static_cast<std::uint32_t>(pairs.size());
    for (const Pair& pair : pairs) sums.per_order += pair.per_order ? 1 : 0;
    sums.others = count - sums.per_order;
    sums.others_first = whole_registers(sums.per_order);
    const std::uint32_t size = sums.others_first + whole_registers(sums.others);
    sums.a.assign(size, 0);
    sums.b.assign(size, 0);
    std::uint32_t next_per_order = 0;
    std::uint32_t next_other = sums.others_first;
    for (const Pair& pair : pairs) {
      const std::uint32_t place = pair.per_order ? next_per_order++ : next_other++;
      sums.a[place] = pair.a;
      sums.b[place] = pair.b;
      sums.places.push_back(place);
    }
    for (const SeriesPlan::Segment& segment : code.segments) {
      for (std::uint32_t i = segment.first; i < segment.last; ++i) {
        std::uint32_t& sum = plan_.rows[i].sum;
        sum = sum == none ? sums.zero_place() : sums.places[sum];
      }
    }
  }

  const Program& program_;
  SeriesPlan plan_;
  std::vector<std::uint32_t> parts_;                     // of the program's instructions; empty: there is one
  std::array<std::vector<std::vector<Pair>>, 4> pairs_;  // of each code
  Code* code_ = nullptr;                                 // that add() adds to
  std::vector<Pair>* code_pairs_ = nullptr;
};

}  // namespace

std::size_t SeriesPlan::convolution_count() const {
  std::size_t count = 0;
  for (const Codes& codes : stages) {
    for (const Code& code : codes) count += code.sums.pair_count();
  }
  return count;
}

std::shared_ptr<const SeriesPlan> make_series_plan(const Program& program, std::span<const Register> wanted,
                                                   const PlanParts& parts) {
  PlanBuilder builder(program, parts);
  return std::make_shared<const SeriesPlan>(builder.build(schedule(program, wanted, builder.parts())));
}

std::shared_ptr<const SeriesPlan> make_value_plan(const Program& program) {
  return std::make_shared<const SeriesPlan>(PlanBuilder(program, {}).build({}));
}

}  // namespace dalembert

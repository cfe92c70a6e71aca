#include "parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule.hpp"

namespace dalembert {
namespace {

constexpr double nowhere = -1;

// A register's stage is known; inputs are there before their stage begins.
struct KnownParts {
  double place = nowhere;
  Stage stage = Stage::constant;  // of the instruction that computes it
  std::uint32_t part = 0;
  bool is_computed = false;
};

class Finder {
 public:
  Finder(const Program& program, std::span<const double> input_places)
      : program_(program), known_(program.register_count()) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      if (program.inputs[i] != no_register) known_[program.inputs[i]].place = input_places[i];
    }
    for (const Instruction& i : program.instructions) {
      places_.push_back(place_of(i));
      for (const Register r : {i.result, i.second_result}) {
        if (r != no_register) known_[r] = {places_.back(), i.stage, 0, true};
      }
    }
  }

  std::vector<std::uint32_t> find(std::uint32_t parts) {
    const std::vector<double> cuts = find_cuts(parts);
    std::vector<std::uint32_t> result;
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const Instruction& i = program_.instructions[n];
      auto part =
          static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), places_[n]) - cuts.begin());
      bool is_first = true;
      for_each_operand(program_, i, [&](Register x) {
        if (!waits_for(i, x)) return;
        part = is_first || known_[x].part == part ? known_[x].part : parts;
        is_first = false;
      });
      for (const Register r : {i.result, i.second_result}) {
        if (r != no_register) known_[r].part = part;
      }
      result.push_back(part);
    }
    return result;
  }

 private:
  bool waits_for(const Instruction& i, Register x) const {
    return known_[x].is_computed && known_[x].stage == i.stage;
  }

  // That of the first operand for which it has to wait, else of the first that has one.
  double place_of(const Instruction& i) const {
    double place = nowhere;
    bool waits = false;
    for_each_operand(program_, i, [&](Register x) {
      if (waits || known_[x].place == nowhere) return;
      waits = waits_for(i, x);
      if (waits || place == nowhere) place = known_[x].place;
    });
    return place;
  }

  // Places between which there is as much to do as between any other two.
  std::vector<double> find_cuts(std::uint32_t parts) const {
    std::vector<double> sorted;
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const Instruction& i = program_.instructions[n];
      if (i.stage == Stage::constant) continue;
      constexpr std::size_t convolution = 4;  // beside a term of a sum
      sorted.insert(sorted.end(), i.op == Op::linear ? i.term_count : convolution, places_[n]);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> cuts;
    for (std::size_t p = 1; p < parts && !sorted.empty(); ++p)
      cuts.push_back(sorted[sorted.size() * p / parts]);
    return cuts;
  }

  const Program& program_;
  std::vector<KnownParts> known_;  // by register
  std::vector<double> places_;     // of instructions
};

}  // namespace

std::vector<std::uint32_t> find_parts(const Program& program, std::span<const double> input_places,
                                      std::uint32_t parts) {
  return Finder(program, input_places).find(parts);
}

}  // namespace dalembert

#include "schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

using Sources =
    std::vector<const Instruction*>;  // by register: the instruction that computes it, none for inputs

Sources sources_of(const Program& program) {
  Sources sources(program.register_count(), nullptr);
  for (const Instruction& i : program.instructions) {
    sources[i.result] = &i;
    if (i.second_result != no_register) sources[i.second_result] = &i;
  }
  return sources;
}

std::vector<bool> find_needed(const Program& program, const Sources& sources,
                              std::span<const Register> wanted) {
  std::vector<bool> is_needed(program.instructions.size(), wanted.empty());
  std::vector<Register> to_visit(wanted.begin(), wanted.end());
  while (!to_visit.empty()) {
    const Register r = to_visit.back();
    to_visit.pop_back();
    if (r == no_register || sources[r] == nullptr) continue;
    const auto index = static_cast<std::size_t>(sources[r] - program.instructions.data());
    if (is_needed[index]) continue;
    is_needed[index] = true;
    to_visit.push_back(sources[r]->y);
    for_each_operand(program, *sources[r], [&](Register x) { to_visit.push_back(x); });
  }
  return is_needed;
}

// One stage by list scheduling: an instruction takes one unit of time, its result is there `latency` later.
class Scheduler {
 public:
  Scheduler(const Program& program, const Sources& sources, std::vector<const Instruction*> instructions)
      : instructions_(std::move(instructions)), nodes_(instructions_.size()) {
    std::vector<std::size_t> index(program.instructions.size(), no_index);
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      index[static_cast<std::size_t>(instructions_[i] - program.instructions.data())] = i;
    }
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      for_each_operand(program, *instructions_[i], [&](Register x) {
        if (sources[x] == nullptr) return;
        const std::size_t operand = index[static_cast<std::size_t>(sources[x] - program.instructions.data())];
        if (operand == no_index) return;  // of an earlier stage
        nodes_[operand].users.push_back(i);
        ++nodes_[i].waits_for;
      });
    }
    for (std::size_t i = nodes_.size(); i-- > 0;) {  // users stand behind
      for (const std::size_t user : nodes_[i].users)
        nodes_[i].height = std::max(nodes_[i].height, nodes_[user].height + latency);
    }
  }

  void append_to(std::vector<Scheduled>& order, std::uint32_t part) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].waits_for == 0) arriving_.emplace(0, i);
    }
    for (int now = 0; !arriving_.empty() || !ready_.empty(); ++now) {
      if (ready_.empty()) now = std::max(now, arriving_.top().first);
      while (!arriving_.empty() && arriving_.top().first <= now) {
        const std::size_t i = arriving_.top().second;
        arriving_.pop();
        ready_.push({nodes_[i].height, nodes_.size() - i});
      }
      const std::size_t i = nodes_.size() - ready_.top().second;
      ready_.pop();
      order.push_back({*instructions_[i], part});
      for (const std::size_t user : nodes_[i].users) {
        if (--nodes_[user].waits_for == 0) arriving_.emplace(now + latency, user);
      }
    }
  }

 private:
  // cycles of a fused multiplication on Skylake and Zen 3 (Agner Fog's tables)
  static constexpr int latency = 4;
  static constexpr std::size_t no_index = SIZE_MAX;
  struct Node {
    std::vector<std::size_t> users;
    int waits_for = 0;
    int height = 0;  // of the longest chain that waits for it
  };
  using Arrival = std::pair<int, std::size_t>;  // time, instruction

  std::vector<const Instruction*> instructions_;
  std::vector<Node> nodes_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arriving_;
  std::priority_queue<std::pair<int, std::size_t>> ready_;  // by height, then in the program's order
};

}  // namespace

std::vector<Scheduled> schedule(const Program& program, std::span<const Register> wanted,
                                std::span<const std::uint32_t> parts) {
  const Sources sources = sources_of(program);
  const std::vector<bool> is_needed = find_needed(program, sources, wanted);
  const std::uint32_t last_part = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
  std::vector<Scheduled> order;
  for (const Stage stage : {Stage::constant, Stage::position, Stage::velocity, Stage::acceleration}) {
    for (std::uint32_t part = 0; part <= last_part; ++part) {
      std::vector<const Instruction*> instructions;
      for (std::size_t i = 0; i < is_needed.size(); ++i) {
        if (is_needed[i] && program.instructions[i].stage == stage && (parts.empty() || parts[i] == part))
          instructions.push_back(&program.instructions[i]);
      }
      Scheduler(program, sources, std::move(instructions)).append_to(order, part);
    }
  }
  return order;
}

}  // namespace dalembert

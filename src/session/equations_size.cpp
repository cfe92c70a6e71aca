// What a page can show of large equations.
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equations_layout.hpp"

namespace dalembert::session {
namespace {

// Nodes of expressions written out, where what is shared is counted each time; stops counting at `most`.
class WrittenSize {
 public:
  explicit WrittenSize(std::size_t most) : most_(most) {}

  std::size_t operator()(Expr root) {
    std::vector<std::pair<Expr, bool>> open{{root, false}};
    while (!open.empty()) {
      const auto [e, has_operands] = open.back();
      open.pop_back();
      if (sizes_.contains(e.id())) continue;
      if (has_operands) {
        sizes_.emplace(e.id(), sum(e));
        continue;
      }
      open.emplace_back(e, true);
      for (std::size_t i = 0; i < e.size(); ++i) open.emplace_back(e.operand(i), false);
    }
    return sizes_.at(root.id());
  }

 private:
  std::size_t sum(Expr e) const {
    std::size_t total = 1;
    for (std::size_t i = 0; i < e.size() && total < most_; ++i) total += sizes_.at(e.operand(i).id());
    return std::min(total, most_);
  }

  std::size_t most_;
  std::unordered_map<NodeId, std::size_t> sizes_;
};

}  // namespace

// A node takes about six characters of LaTeX.
void leave_out_large(EquationsPage& page) {
  constexpr std::size_t most_of_block = 20'000;
  std::size_t left = 50'000;
  WrittenSize written(most_of_block + 1);
  for (Block& block : page.blocks) {
    std::size_t size = 0;
    for (const auto& entry : block.entries) {
      size += written(entry.value);
      if (size > most_of_block) break;
    }
    if (size <= std::min(left, most_of_block)) {
      left -= size;
      continue;
    }
    block.left_out = block.entries.size();
    block.entries.clear();
  }
}

}  // namespace dalembert::session

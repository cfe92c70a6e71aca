#include "limit_watch.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert::session {
namespace {

constexpr std::string_view prefix = "range_";
constexpr std::size_t most_named = 6;

}  // namespace

LimitWatch::LimitWatch(const ModelData& model) {
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const std::string& name = model.outputs[i].name;
    if (name.starts_with(prefix)) ranges_.push_back({name.substr(prefix.size()), i});
  }
}

void LimitWatch::leave(Range& range, double place, double t) {
  range.is_left = true;
  left_.push_back(fmt::format("{} ({} limit, t = {:.4g})", range.joint, place > 0 ? "upper" : "lower", t));
}

void LimitWatch::add_note(RunReport& report) const {
  if (left_.empty()) return;
  const std::size_t named = std::min(left_.size(), most_named);
  const std::string others = left_.size() > named ? fmt::format(" and {} more", left_.size() - named) : "";
  report.warnings.push_back(fmt::format("{} beyond limits, which do not act on the motion: {}{}",
                                        left_.size() == 1 ? "a joint goes" : "joints go",
                                        join(std::span(left_).first(named), ", "), others));
}

}  // namespace dalembert::session

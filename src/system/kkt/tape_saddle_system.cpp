#include <vector>

#include <dalembert/system/kkt/tape_saddle_system.hpp>

namespace dalembert {
namespace {

StaticSymmetric make_factors(const SaddlePattern& pattern, const ValueTape& tape) {
  std::vector<StaticLu::Place> places;
  std::vector<StaticLu::Source> sources;
  pattern.for_each([&](std::uint32_t row, std::uint32_t column, const Scaled& value) {
    places.push_back({row, column});
    sources.push_back({tape.constant(value.coefficient), value.x == no_register ? tape.one() : value.x});
  });
  return {pattern.size(), std::move(places), std::move(sources)};
}

}  // namespace

TapeSaddleSystem::TapeSaddleSystem(SaddlePattern pattern, const ValueTape& tape)
    : pattern_(std::move(pattern)), factors_(make_factors(pattern_, tape)) {}

}  // namespace dalembert

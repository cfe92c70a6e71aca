#include <dalembert/system/kkt/saddle_pattern.hpp>

namespace dalembert {

std::vector<MatrixEntry> SaddlePattern::rows_of(std::size_t m,
                                                const std::vector<MatrixEntry>& entries) const {
  const std::size_t absent = active_.size();
  std::vector<std::size_t> row_of(m, absent);
  for (std::size_t row = 0; row < active_.size(); ++row) row_of[active_[row]] = row;
  std::vector<MatrixEntry> rows;
  for (const MatrixEntry& entry : entries) {
    const std::size_t row = row_of[entry.row];
    if (row != absent) rows.push_back({static_cast<std::uint32_t>(row), entry.column, entry.value});
  }
  return rows;
}

std::vector<MatrixPlace> SaddlePattern::places() const {
  std::vector<MatrixPlace> places;
  places.reserve(M().size() + C().size() + D().size());
  for_each([&](std::uint32_t row, std::uint32_t column, const Scaled&) { places.push_back({row, column}); });
  return places;
}

}  // namespace dalembert

// The motions of extreme rows, to be looked at on the page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "page/page_numbers.hpp"

namespace dalembert::study {

struct MotionOfRow {
  std::uint64_t row;
  std::string page;  ///< the data of a run's page, JSON
};

/// Of the rows with the greatest and the least of what is collected, as many as are small and quick to run.
std::vector<MotionOfRow> extreme_motions(const Study& study, const PageNumbers& numbers);

}  // namespace dalembert::study

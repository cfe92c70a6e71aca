// Which rows of a block share lanes, and so their steps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dalembert::study {

/// The numbers of rows, such that those of each `group` that follow each other are alike: halves of them
/// along the quantity whose values spread most, by rank, then halves of these. `values` by rows of `width`.
std::vector<std::size_t> find_alike_rows(std::span<const double> values, std::size_t width,
                                         std::size_t group);

}  // namespace dalembert::study

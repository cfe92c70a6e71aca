// Which columns of a run a page holds. All of most models; of a large one as many groups as keep the page
// small, those first that a reader would miss most.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/output/page_samples.hpp>

namespace dalembert {

struct PageColumns {
  std::vector<bool> shown;            ///< by column
  bool has_scene = true;              ///< all columns of coordinates and of the view are shown
  std::vector<std::string> left_out;  ///< groups in words, with their numbers of columns
};

/// Those that have room in so many bytes of the page. Curves have points beside the samples.
PageColumns choose_page_columns(const PageSamples& samples, std::size_t curve_points, std::size_t room);

}  // namespace dalembert

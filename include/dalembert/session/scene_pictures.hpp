// Pictures and films of the scene, drawn by the report page in a browser without a window.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/output/page.hpp>

namespace dalembert::session {

/// In pixels.
struct PictureSize {
  int width, height;
};

/// A still picture of the mechanism at some times, one over the other.
struct Still {
  std::vector<double> times;
  std::string file;  ///< .svg or .png
};

/// Throws Error where a film or a picture of this name cannot be made: another suffix, no browser, no FFmpeg.
void check_animation_name(const std::filesystem::path& file);
void check_still(const Still& still);

/// Writes the file; a name that ends in .png is a series NAME-0001.png, ... Throws OutputError.
/// Without a size it has 1280 x 720 pixels, a GIF half as many across.
void write_animation(const std::filesystem::path& file, const Page& page,
                     const std::optional<PictureSize>& asked = {});
void write_still(const Still& still, const Page& page, const PictureSize& size = {960, 640});

}  // namespace dalembert::session

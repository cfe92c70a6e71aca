#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <dalembert/base/base64.hpp>
#include <dalembert/base/error.hpp>
#include <dalembert/base/find_program.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/work_folder.hpp>
#include <dalembert/session/scene_pictures.hpp>

#include "child_process.hpp"

namespace dalembert::session {
namespace {

namespace fs = std::filesystem;

fs::path find_browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "chrome"}) {
    if (const fs::path found = find_program(name); !found.empty()) return found;
  }
  throw Error("pictures of the scene are drawn by Chromium, which is not installed (package chromium)");
}

fs::path find_encoder() {
  const fs::path found = find_program("ffmpeg");
  if (found.empty())
    throw Error(
        "films are encoded by FFmpeg, which is not installed (package ffmpeg); a .png makes a series of "
        "pictures");
  return found;
}

std::string percent_encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += std::isalnum(byte) != 0 ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return result;
}

// What the page leaves in an element `pre`: id and text.
std::string_view text_of(std::string_view document, std::string_view id) {
  const std::string opening = fmt::format("<pre id=\"{}\">", id);
  const std::size_t begin = document.find(opening);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = document.substr(begin + opening.size());
  return rest.substr(0, std::min(rest.find("</pre>"), rest.size()));
}

// The pictures that the page draws when it is asked for them, each as the bytes of a file.
std::vector<std::string> draw(const Page& page, const nlohmann::json& request) {
  const WorkFolder folder;
  const fs::path html = folder / "page.html";
  write_page(html, page);
  // a profile of its own, so that a browser that is open is not asked; WebGL in software
  std::vector<std::string> arguments{
      "--headless",
      "--user-data-dir=" + (folder / "profile").string(),
      "--no-first-run",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-gpu-compositing",
      "--dump-dom",
      fmt::format("file://{}#render={}", html.string(), percent_encoded(request.dump()))};
  if (geteuid() == 0) arguments.insert(arguments.begin(), "--no-sandbox");  // Chromium has none for root
  const ChildResult result = run_child(find_browser(), arguments);
  const std::string_view failure = text_of(result.output, "failure");
  if (!failure.empty()) throw OutputError(fmt::format("the scene was not drawn: {}", failure));
  std::string_view rest = text_of(result.output, "pictures");
  if (rest.empty()) throw OutputError(fmt::format("{} drew nothing", find_browser().filename().string()));
  std::vector<std::string> pictures;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    pictures.push_back(from_base64(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return pictures;
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

constexpr std::array<std::string_view, 4> film_suffixes{".mp4", ".webm", ".gif", ".png"};

// Constant quality that shows no blocks around thin lines; a GIF is smaller and has colours of its own.
std::vector<std::string> encoding_of(const std::string& suffix, int width) {
  if (suffix == ".mp4")
    return {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart"};
  if (suffix == ".webm")
    return {"-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "5"};
  return {
      "-vf",
      fmt::format(
          "scale={}:-2:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none",
          width)};
}

}  // namespace

void check_still(const Still& still) {
  const std::string suffix = fs::path(still.file).extension().string();
  if (suffix != ".svg" && suffix != ".png")
    throw Error(fmt::format("'{}' is no name of a picture of the scene; write one that ends in .svg or .png",
                            still.file));
  if (suffix == ".png" && still.times.size() > 1)
    throw Error("several positions are drawn over each other in SVG only");
  find_browser();
}

void check_animation_name(const fs::path& file) {
  const std::string suffix = file.extension().string();
  if (std::find(film_suffixes.begin(), film_suffixes.end(), suffix) == film_suffixes.end()) {
    throw Error(fmt::format(
        "'{}' is no name of a film; write one that ends in .mp4, .webm, .gif, or in .png for a series",
        file.string()));
  }
  find_browser();
  if (suffix != ".png") find_encoder();
}

void write_still(const Still& still, const Page& page, const PictureSize& size) {
  const std::string suffix = fs::path(still.file).extension().string();
  const nlohmann::json request{
      {"kind", suffix.substr(1)}, {"times", still.times}, {"width", size.width}, {"height", size.height}};
  write_file(still.file, draw(page, request).front());
}

void write_animation(const fs::path& file, const Page& page, const std::optional<PictureSize>& asked) {
  const std::string suffix = file.extension().string();
  constexpr int gif_width = 640;
  const PictureSize size = asked.value_or(PictureSize{1280, 720});
  const int rate = suffix == ".gif" ? 20 : 30;
  const std::vector<std::string> frames =
      draw(page, {{"kind", "png"}, {"rate", rate}, {"width", size.width}, {"height", size.height}});
  const auto name = [](std::size_t i) { return fmt::format("{:04}.png", i + 1); };
  if (suffix == ".png") {
    for (std::size_t i = 0; i < frames.size(); ++i)
      write_file(file.parent_path() / fmt::format("{}-{}", file.stem().string(), name(i)), frames[i]);
    return;
  }
  const WorkFolder folder;
  for (std::size_t i = 0; i < frames.size(); ++i) write_file(folder / name(i), frames[i]);
  const fs::path made = folder / ("film" + suffix);
  std::vector<std::string> arguments{
      "-loglevel", "error", "-y", "-framerate", std::to_string(rate), "-i", (folder / "%04d.png").string()};
  const std::vector<std::string> encoding = encoding_of(suffix, asked ? size.width : gif_width);
  arguments.insert(arguments.end(), encoding.begin(), encoding.end());
  arguments.push_back(made.string());
  if (run_child(find_encoder(), arguments).status != 0)
    throw OutputError(fmt::format("FFmpeg did not make {}", file.string()));
  std::ifstream stream(made, std::ios::binary);
  write_file(file, std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace dalembert::session

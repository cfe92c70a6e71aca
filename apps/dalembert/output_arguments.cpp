#include "output_arguments.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/links.hpp>
#include <dalembert/output/result_writer.hpp>
#include <dalembert/output/stream.hpp>

#include "interrupt.hpp"

namespace dalembert::app {
namespace {

void write_to_standard_output(std::string_view text, bool is_all) {
  if (write_to_stream(STDOUT_FILENO, text)) return;
  if (errno != EPIPE)
    throw OutputError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  if (is_all) end_without_reader();  // files beside it are for others
}

// From "1280x720".
session::PictureSize parse_size(const std::string& text) {
  constexpr int least = 64, most = 4096;
  session::PictureSize size{0, 0};
  const char* const end = text.data() + text.size();
  const auto [middle, error] = std::from_chars(text.data(), end, size.width);
  if (error == std::errc() && middle != end && *middle == 'x') {
    const auto [stop, wrong] = std::from_chars(middle + 1, end, size.height);
    const bool fits = std::min(size.width, size.height) >= least && std::max(size.width, size.height) <= most;
    if (wrong == std::errc() && stop == end && fits) return size;
  }
  throw Error(fmt::format("--size takes width and height from {} to {}, as in 1280x720, not '{}'", least,
                          most, text));
}

// From "t=0.5" or "0,0.3,0.5" and the name of a file.
session::Still parse_still(const std::string& times, const std::string& file) {
  session::Still still{{}, file};
  std::string_view rest = times;
  if (rest.starts_with("t=")) rest.remove_prefix(2);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    double time = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, time);
    if (error != std::errc() || stop != rest.data() + end) break;
    still.times.push_back(time);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!rest.empty() || still.times.empty())
    throw Error(
        fmt::format("--scene takes times and a file, as in t=0.5 crank.svg or 0,0.1,0.2 crank.svg; '{}' is "
                    "no list of times",
                    times));
  return still;
}

}  // namespace

void OutputArguments::add_to(CLI::App& command) {
  command
      .add_option("-o,--output", files,
                  "file for the numbers: .csv, .json, .npz, .h5;\nrepeatable; '-': CSV on standard output;\n"
                  "'none': no numbers, the summary alone")
      ->allow_extra_args(false);
  command
      .add_option("--columns", columns,
                  "names, groups (q, v, a, lambda, force, outputs,\n"
                  "energies, residuals), patterns like 'theta*',\n"
                  "definitions or expressions like \"hypot(x', y')\",\n"
                  "separated by commas")
      ->allow_extra_args(false);
  command
      .add_option("--plot", plots,
                  "picture of the columns (.svg, .png), of the\ncoordinates without --columns; repeatable")
      ->allow_extra_args(false);
  command.add_option("--against", against,
                     "draw the picture's columns over this one instead\nof time: a phase portrait");
  command.add_option("--report", report, "page with curves, animation and equations (.html)");
  command
      .add_option("--scene", scene,
                  "picture of the mechanism (.svg, .png) at one time\nor several, drawn over each other:\n"
                  "--scene t=0,0.1,0.2 crank.svg; repeatable")
      ->type_name("TIMES FILE")
      ->allow_extra_args(false);
  command.add_option("--animation", animation,
                     "film of the motion (.mp4, .webm, .gif) or a\nseries of pictures (.png)");
  command.add_option("--size", size, "of --scene (960x640) and --animation (1280x720)")->type_name("WxH");
  command.add_option("--with", with, "another run (.npz), drawn over it on the page");
}

// Commas between parentheses separate arguments, not columns.
std::vector<std::string> OutputArguments::wanted_columns() const {
  std::vector<std::string> list;
  for (const std::string& text : columns) {
    int depth = 0;
    std::string one;
    const auto end = [&] {
      const std::size_t begin = std::min(one.find_first_not_of(' '), one.size());
      one = one.substr(begin, one.find_last_not_of(' ') + 1 - begin);
      if (!one.empty()) list.push_back(one);
      one.clear();
    };
    for (const char c : text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        end();
      } else {
        one += c;
      }
    }
    end();
  }
  return list;
}

session::LoadedModel OutputArguments::load_with_columns(session::ModelSource source) const {
  std::vector<std::string> wanted = wanted_columns();
  if (against != "t") wanted.push_back(against);
  return session::load_with_columns(std::move(source), wanted);
}

std::future<void> OutputArguments::start_loading() const { return dalembert::start_loading(all()); }

std::vector<std::string> OutputArguments::all() const {
  std::vector<std::string> names = files;
  names.insert(names.end(), plots.begin(), plots.end());
  if (!report.empty()) names.push_back(report);
  for (const auto& [times, file] : scene) names.push_back(file);
  if (!animation.empty()) names.push_back(animation);
  return names;
}

bool OutputArguments::has_samples_on_standard_output() const {
  return std::find(files.begin(), files.end(), "-") != files.end();
}

void OutputArguments::refuse_repetitions() const {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : all()) {
    std::error_code unknown;
    if (!seen.insert(std::filesystem::weakly_canonical(end_of_links(file), unknown)).second)
      throw Error(fmt::format("'{}' is given twice", file));
  }
  if (files.size() > 1 && std::find(files.begin(), files.end(), "none") != files.end())
    throw Error("-o none writes no numbers: other files with -o contradict it");
  if (against != "t" && plots.empty())
    throw Error("--against says what a picture's columns are drawn over; --plot is missing");
}

std::vector<std::string> OutputArguments::files_of(const std::string& model_name) const {
  refuse_repetitions();
  if (!all().empty()) {
    std::vector<std::string> list = files;
    std::erase(list, "none");
    return list;
  }
  if (json) return {};
  if (isatty(STDOUT_FILENO) == 0) return {"-"};
  return {std::filesystem::path(model_name).stem().string() + ".csv"};
}

session::OutputOptions OutputArguments::options(const std::string& model_name) const {
  session::OutputOptions result;
  result.files = files_of(model_name);
  result.columns = wanted_columns();
  result.plots = plots;
  result.against = against;
  result.report = report;
  for (const auto& [times, file] : scene) result.stills.push_back(parse_still(times, file));
  result.animation = animation;
  if (!size.empty()) {
    if (result.stills.empty() && animation.empty()) throw Error("--size is for --scene and --animation");
    result.size = parse_size(size);
  }
  if (!with.empty() && report.empty())
    throw Error("--with draws another run on the page; --report is missing");
  result.with = with;
  const bool is_all = result.files.size() == 1 && all().size() <= 1;
  result.standard_output = [is_all](std::string_view text) { write_to_standard_output(text, is_all); };
  return result;
}

}  // namespace dalembert::app

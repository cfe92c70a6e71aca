#include "run_output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/links.hpp>
#include <dalembert/output/plot.hpp>
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

void refuse_repetitions(const OutputArguments& arguments) {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : arguments.all()) {
    std::error_code unknown;
    if (!seen.insert(std::filesystem::weakly_canonical(end_of_links(file), unknown)).second)
      throw Error(fmt::format("'{}' is given twice", file));
  }
  const auto& files = arguments.files;
  if (files.size() > 1 && std::find(files.begin(), files.end(), "none") != files.end())
    throw Error("-o none writes no numbers: other files with -o contradict it");
  if (arguments.against != "t" && arguments.plots.empty())
    throw Error("--against says what a picture's columns are drawn over; --plot is missing");
}

// Without any wish: nothing where the summary is on standard output, that when it is not a terminal, else
// STEM.csv beside the user.
std::vector<std::string> files_of(const OutputArguments& arguments, const std::string& model_name) {
  refuse_repetitions(arguments);
  if (!arguments.all().empty()) {
    std::vector<std::string> files = arguments.files;
    std::erase(files, "none");
    return files;
  }
  if (arguments.json) return {};
  if (isatty(STDOUT_FILENO) == 0) return {"-"};
  return {std::filesystem::path(model_name).stem().string() + ".csv"};
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
      ->expected(2)
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

std::vector<Still> OutputArguments::stills() const {
  std::vector<Still> list;
  for (std::size_t i = 0; i + 1 < scene.size(); i += 2) list.push_back(parse_still(scene[i], scene[i + 1]));
  return list;
}

std::vector<std::string> OutputArguments::all() const {
  std::vector<std::string> names = files;
  names.insert(names.end(), plots.begin(), plots.end());
  if (!report.empty()) names.push_back(report);
  for (std::size_t i = 1; i < scene.size(); i += 2) names.push_back(scene[i]);
  if (!animation.empty()) names.push_back(animation);
  return names;
}

bool OutputArguments::has_samples_on_standard_output() const {
  return std::find(files.begin(), files.end(), "-") != files.end();
}

RunOutput::RunOutput(const OutputArguments& arguments, const std::string& model_name, const Model& model,
                     const std::vector<Expr>& forces, int digits, std::future<PageEquations> equations)
    : report_(arguments.report), equations_(std::move(equations)) {
  const std::vector<std::string> wanted = arguments.wanted_columns();
  const std::vector<Column> columns = choose_columns(*model, wanted);
  const std::vector<std::string> files = files_of(arguments, model_name);
  refuse_to_overwrite(model->file, files);
  refuse_to_overwrite(model->file, arguments.all());
  const bool is_all = files.size() == 1 && arguments.all().size() <= 1;
  const auto write = [is_all](std::string_view text) { write_to_standard_output(text, is_all); };
  for (const std::string& file : files) {
    writers_.push_back(file == "-" ? make_csv_writer(write, columns, digits)
                                   : make_writer(file, columns, digits));
    if (file != "-") written_.push_back(file);
  }
  std::vector<std::string> drawn = wanted.empty() ? std::vector<std::string>{"q"} : wanted;
  if (arguments.against != "t") drawn.push_back(arguments.against);
  const std::vector<Column> plot_columns = choose_columns(*model, drawn);
  for (const std::string& plot : arguments.plots) {
    plots_.push_back(make_plot(plot, plot_columns, arguments.against));
    written_.push_back(plot);
  }
  const auto fill = [&](auto& fillers) {
    using Filler = typename std::remove_reference_t<decltype(fillers.files)>::element_type;
    if (!writers_.empty()) fillers.files = std::make_unique<Filler>(model, columns, forces);
    if (!plots_.empty()) fillers.plots = std::make_unique<Filler>(model, plot_columns, forces);
    if (page_samples_) fillers.page = std::make_unique<Filler>(model, page_samples_->columns(), forces);
  };
  open_page(arguments, model);
  if (digits > 0) {
    fill(digits_);
  } else {
    fill(doubles_);
    if (!written_.empty() || !writers_.empty()) {
      relay_ =
          std::make_unique<SampleRelay>([this](const Sample<double>& sample) { take(sample, doubles_); });
    }
  }
}

// The page, and what it draws in a browser.
void RunOutput::open_page(const OutputArguments& arguments, const Model& model) {
  stills_ = arguments.stills();
  animation_ = arguments.animation;
  if (!arguments.size.empty()) {
    if (stills_.empty() && animation_.empty()) throw Error("--size is for --scene and --animation");
    size_ = parse_size(arguments.size);
  }
  if (!arguments.with.empty()) {
    if (report_.empty()) throw Error("--with draws another run on the page; --report is missing");
    other_ = read_other_run(arguments.with);
  }
  if (report_.empty() && stills_.empty() && animation_.empty()) return;
  if (!report_.empty()) {
    check_page_name(report_);
    const AtomicFile probe(report_, FileAccess::random);  // a pipe is opened when the page is there
    written_.push_back(report_);
  }
  for (const Still& still : stills_) {
    check_still(still);
    const AtomicFile probe(still.file, FileAccess::random);
    written_.push_back(still.file);
  }
  if (!animation_.empty()) {
    check_animation_name(animation_);
    written_.push_back(animation_);
  }
  std::vector<Column> shown = all_columns(*model);
  const std::vector<Column> view = view_columns(*model);
  shown.insert(shown.end(), view.begin(), view.end());
  page_samples_ = std::make_unique<PageSamples>(std::move(shown));
}

template <class S>
void RunOutput::take(const Sample<S>& sample, Fillers<S>& fillers) {
  if (fillers.files) {
    const std::span<const S> row = fillers.files->fill(sample);
    for (const auto& writer : writers_) writer->add(row);
  }
  if (fillers.plots) {
    const std::span<const S> row = fillers.plots->fill(sample);
    for (const auto& plot : plots_) plot->add(row);
  }
  if (fillers.page) {
    page_row_.clear();
    for (const S& value : fillers.page->fill(sample)) page_row_.push_back(static_cast<double>(value));
    page_samples_->add(page_row_);
  }
}

template void RunOutput::take(const Sample<double>&, Fillers<double>&);
template void RunOutput::take(const Sample<Real>&, Fillers<Real>&);

void RunOutput::finish(const RunRecord& record) {
  if (relay_) relay_->finish();
  for (const auto* writers : {&writers_, &plots_}) {
    for (const auto& writer : *writers) writer->finish(record);
  }
  if (page_samples_) write_report(record);
}

void RunOutput::write_report(const RunRecord& record) {
  Page page(record);
  page.samples = page_samples_.get();
  page.scene = make_scene(*record.model);
  for (const Still& still : stills_) {
    if (size_) {
      write_still(still, page, *size_);
    } else {
      write_still(still, page);
    }
  }
  if (!animation_.empty() && size_) write_animation(animation_, page, *size_);
  if (!animation_.empty() && !size_) write_animation(animation_, page);
  if (report_.empty()) return;
  page.equations = [this] { return equations_.get(); };
  page.other = std::move(other_);
  write_page(report_, page);
}

}  // namespace dalembert::app

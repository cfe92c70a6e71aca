// The report page: one HTML file that holds its scripts, styles, fonts and data (docs/report.md). The program
// carries the page without data inside when Node was there to build it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/model/model.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/other_run.hpp>
#include <dalembert/output/page_curves.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/output/scene.hpp>

namespace dalembert {

struct PageEquations {
  struct Block {
    std::string symbol;
    std::string meaning;
    std::string latex;
  };
  std::string laws;  ///< LaTeX
  std::string unknowns;
  std::vector<Block> blocks;
};

/// Methods side by side, for work-precision and drift diagrams.
struct Comparison {
  struct Run {
    double tolerance = 0;  ///< or the step of a method with a constant one
    double seconds = 0;
    std::size_t steps = 0;
    double error = 0;  ///< against the reference
  };
  struct Drift {
    std::vector<double> t;
    std::vector<double> position;  ///< largest |g|
    std::vector<double> velocity;  ///< largest |C v + c|
    std::vector<double> energy;    ///< |energy − start − work|
  };
  struct MethodRuns {
    std::string name;
    std::vector<Run> runs;
    std::optional<Drift> drift;
  };
  std::string reference;  ///< what errors are measured against, in words
  bool confirmed = true;  ///< by an independent method
  std::string check;      ///< by which one, or what contradicts it
  std::vector<MethodRuns> methods;
};

/// What a page shows; each part is left out when it is absent.
struct Page {
  explicit Page(RunRecord run) : record(std::move(run)) {}

  RunRecord record;
  bool has_run = true;                       ///< false: the record's report says nothing, as for a comparison
  std::function<PageEquations()> equations;  ///< asked for last: another thread may still make them
  const PageSamples* samples = nullptr;
  PageCurves curves;  ///< more points than the samples, where there are any
  Scene scene;
  std::optional<Comparison> comparison;
  std::optional<OtherRun> other;  ///< drawn over the run
};

/// Whether this build carries the page.
bool has_page();
/// Throws Error when it does not, or when a file of this name is no page.
void check_page_name(const std::filesystem::path& path);

/// Throws Error when the build carries no page, OutputError where the file cannot be written.
void write_page(const std::filesystem::path& path, const Page& page);

/// With these data, a JSON text, in place of a run's.
void write_page(const std::filesystem::path& path, std::string_view data);

/// The page's data as JSON text that may stand inside a script element.
std::string page_data(const Page& page);

}  // namespace dalembert

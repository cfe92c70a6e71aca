// A generated library in the hands of a C compiler: compiled with every warning, and run.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/find_program.hpp>
#include <dalembert/session/codegen.hpp>

#include "cli/program.hpp"
#include "temporary_folder.hpp"

namespace dalembert::test {

inline const std::string strict_c =
    "-std=c99 -O0 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow -Wstrict-prototypes "
    "-Wmissing-prototypes "
    "-Wfloat-equal -Wundef -Wcast-qual -Wpointer-arith ";

/// Prints the place, and what is observed there, as rows "name numbers...".
inline const char* const driver_text = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static @p_work w;

static void row(const char *name, const double *x, int count)
{
  int i;
  printf("%s", name);
  for (i = 0; i < count; ++i) { printf(" %.17g", x[i]); }
  printf("\n");
}

static void report(const @p_state *s)
{
  @p_observed o;
  double speed[@P_LAMBDA_SIZE];
  int i, j;
  @p_observe(&w, s, &o);
  for (j = 0; j < @P_CONSTRAINTS; ++j) {
    speed[j] = w.terms.c[j];
    for (i = 0; i < @P_COORDINATES; ++i) { speed[j] += w.terms.C[j][i]*s->v[i]; }
  }
  row("t", &s->t, 1);
  row("q", s->q, @P_COORDINATES);
  row("v", s->v, @P_COORDINATES);
  row("a", s->a, @P_COORDINATES);
  row("lambda", s->lambda, @P_CONSTRAINTS);
  row("force", o.force, @P_COORDINATES);
  row("output", o.output, @P_OUTPUTS);
  row("kinetic", &o.kinetic, 1);
  row("potential", &o.potential, 1);
  row("g", w.terms.g, @P_HOLONOMIC);
  row("gv", speed, @P_CONSTRAINTS);
}

/* program start | series DURATION TOLERANCE | fixed DURATION STEPS */
int main(int argc, char **argv)
{
  @p_parameters p;
  @p_state s;
  @p_status status;
  const double duration = (argc > 2) ? atof(argv[2]) : 0.0;
  const double third = (argc > 3) ? atof(argv[3]) : 0.0;
  int i;
  (void)third;
  @p_default_parameters(&p);
@{changes}
  @p_init(&w, &p);
  @p_start_values(&p, &s);
  status = @p_start(&w, &s);
  if (strcmp(argv[1], "start") == 0) { report(&s); }
  if (strcmp(argv[1], "fixed") == 0) {
    for (i = 0; (i < (int)third) && (status == @P_OK); ++i) { status = @p_fixed_step(&w, &s, duration/(int)third); }
    report(&s);
  }
@{series}
  if (status != @P_OK) { fprintf(stderr, "%s\n", @p_message(status)); }
  return (status == @P_OK) ? 0 : 1;
}
)";

inline const char* const series_driver_text = R"(  if (strcmp(argv[1], "series") == 0) {
    status = (status == @P_OK) ? @p_advance(&w, &s, s.t + duration, third) : status;
    report(&s);
  })";

using Report = std::map<std::string, std::vector<double>>;

class GeneratedLibrary {
 public:
  explicit GeneratedLibrary(const session::LoadedModel& model, session::CodegenOptions options = {},
                            const std::string& changes = "")
      : library_(session::codegen(model, options)) {
    for (const session::GeneratedFile& file : library_.files) folder_.write(file.name, file.text);
    const auto fill = [&](std::string text, const std::string& key, const std::string& value) {
      for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + value.size()))
        text.replace(at, key.size(), value);
      return text;
    };
    std::string driver = fill(driver_text, "@{series}", series_driver_text);
    driver = fill(driver, "@{changes}", changes);
    driver = fill(fill(driver, "@p", library_.names.prefix), "@P", library_.names.upper);
    folder_.write("driver.c", driver);
  }

  const session::CLibrary& library() const { return library_; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  /// Compiles model.c and main.c with all warnings as errors, and the driver.
  ::testing::AssertionResult compile(const std::string& compiler = "cc",
                                     const std::string& flags = strict_c) const {
    const std::string at = "cd '" + folder().string() + "' && " + compiler + " ";
    const Finished strict =
        run_command(at + flags + "-c model.c && " + compiler + " " + flags +
                    "main.c model.o -lm -o example && " + compiler + " -O0 driver.c model.o -lm -o driver");
    if (strict.status == 0) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << strict.messages.substr(0, 2000);
  }

  Finished try_to_run(const std::string& arguments) const {
    return run_command("'" + (folder() / "driver").string() + "' " + arguments);
  }
  Report run(const std::string& arguments) const {
    const Finished finished = try_to_run(arguments);
    EXPECT_EQ(finished.status, 0) << finished.messages;
    Report report;
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      std::vector<double>& row = report[name];
      for (double x = 0; words >> x;) row.push_back(x);
    }
    return report;
  }

 private:
  session::CLibrary library_;
  TemporaryFolder folder_;
};

}  // namespace dalembert::test

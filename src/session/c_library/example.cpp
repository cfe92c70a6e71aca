// main.c, CMakeLists.txt, README.md
#include <string>

#include <fmt/format.h>

#include <dalembert/codegen/c_names.hpp>

#include "library_writer.hpp"

namespace dalembert::session {
namespace {

constexpr const char* example_text = R"(/* An example: the motion over some time, at fixed steps. */
#include <stdio.h>

#include "model.h"

enum { PRINTED = 10 };

static int report(@p_status status)
{
  (void)fprintf(stderr, "%s\n", @p_message(status));
  return 1;
}

int main(void)
{
  static @p_work work; /* large: not on the stack */
  @p_parameters parameters;
  @p_state state;
  @p_observed observed;
  @p_status status;
  const double h = @{step};
  int i;
  int k;
  @p_default_parameters(&parameters);
  @p_init(&work, &parameters);
  @p_start_values(&parameters, &state);
  status = @p_start(&work, &state);
  for (i = 0; i <= PRINTED; ++i) {
    if (status != @P_OK) { return report(status); }
    @p_observe(&work, &state, &observed);
    (void)printf("t = %.4f", state.t);
    for (k = 0; k < @P_COORDINATES; ++k) { (void)printf("  %+.12e", state.q[k]); }
    (void)printf("  energy %+.12e\n", observed.kinetic + observed.potential);
    for (k = 0; (k < @{steps}) && (i < PRINTED) && (status == @P_OK); ++k) {
      status = @p_fixed_step(&work, &state, h);
    }
  }
  return 0;
}
)";

constexpr const char* build_text = R"(cmake_minimum_required(VERSION 3.10)
project(@p C)

set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(@p model.c)
target_include_directories(@p PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
find_library(MATH_LIBRARY m)
if(MATH_LIBRARY)
  target_link_libraries(@p PUBLIC ${MATH_LIBRARY})
endif()

add_executable(@p_example main.c)
target_link_libraries(@p_example @p)
)";

constexpr const char* readme_text = R"(# @{title}

A mechanical model as a C99 library, written by `dalembert codegen`. It needs nothing but the mathematical functions of
the standard library, allocates no memory and keeps nothing between calls but what stands in structs of the caller.

    cc -std=c99 -O2 main.c model.c -lm -o example && ./example

or with CMake: `cmake -B build && cmake --build build`.

| file | what is in it |
|---|---|
| `model.h` | names of coordinates, constraints, outputs and parameters; the functions |
| `model.c` | the equations and the steps |
| `main.c` | an example: the motion at fixed steps |

@{counts}

1. `@p_default_parameters` fills the struct of parameters; after changes `@p_derive_parameters` computes those
   that follow from others. `@p_init` prepares a workspace with them.
2. `@p_start_values` gives the start as the model has it; `@p_start` moves it onto the constraints.
3. `@p_fixed_step` takes one step of a given length with a bounded number of operations: for real time.
@{series}
`@p_evaluate` gives M, f, C, c, g, gamma at any place, `@p_accelerations` the accelerations and multipliers,
`@p_observe` outputs, constraint forces and energies. A workspace and a state belong to one thread at a time.
@{notes})";

}  // namespace

std::string LibraryWriter::example() const {
  const double duration = system_.model().solve.number("duration").value_or(1);
  const double printed = duration / 10;
  constexpr int steps = 100;
  return fill(example_text, {{"step", c_number(printed / steps)}, {"steps", std::to_string(steps)}});
}

std::string LibraryWriter::build_file() const { return fill(build_text); }

std::string LibraryWriter::readme() const {
  const ModelData& model = system_.model();
  const std::string counts = fmt::format(
      "{} coordinates, {} constraints ({} holonomic), {} of them independent; series of order {} for a "
      "tolerance of "
      "{}.",
      system_.n(), system_.m(), system_.holonomic(), active_.size(), library_.order, library_.tolerance);
  const std::string series =
      "4. `@p_series_step` chooses its length by the series, `@p_advance` goes to a given time with such "
      "steps.\n";
  std::string notes;
  for (const std::string& note : library_.notes) notes += "\nNote: " + note + ".\n";
  return fill(fill_in(readme_text, names_,
                      {{"title", model.title.empty() ? names_.prefix : model.title},
                       {"counts", counts},
                       {"series", fill(series)},
                       {"notes", notes}}));
}

}  // namespace dalembert::session

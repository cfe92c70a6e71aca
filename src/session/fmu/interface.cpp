// fmu.c
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <dalembert/codegen/c_names.hpp>

#include "../c_library/library_writer.hpp"
#include "fmu_variables.hpp"

namespace dalembert::session {
namespace {

constexpr const char* head_text =
    R"(/* The functional mock-up interface around model.h; both ends of it are fixed by the standard, FMI @{version}. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

/* A reader of the description shows it, so that he has that of this very code. */
static const char TOKEN[] = @{token};

)";

// Parameters by their places, and what may be done with them.
std::string parameter_tables(const FmuParts& parts) {
  const auto& names = parts.library.names.parameters;
  std::string cases, kinds;
  for (std::size_t i = 0; i < names.size(); ++i) {
    cases += fmt::format("    case {}: address = &p->{}; break;\n", i, names[i]);
    const std::string& causality = parts.variables[1 + i].causality;
    kinds += fmt::format("{}, ", causality == "input"       ? "INPUT_PARAMETER"
                                 : causality == "parameter" ? "FREE_PARAMETER"
                                                            : "DEPENDENT_PARAMETER");
  }
  const std::string first = names.empty() ? "none" : names[0];
  return fmt::format(
      "enum {{ FREE_PARAMETER, DEPENDENT_PARAMETER, INPUT_PARAMETER }};\n"
      "static const int parameter_kind[PARAMETERS + 1] = {{{}FREE_PARAMETER}};\n\n"
      "static double *parameter(@p_parameters *p, int i)\n{{\n  double *address = &p->{};\n  switch (i) "
      "{{\n{}    "
      "default: break;\n  }}\n  return address;\n}}\n\n",
      kinds, first, cases);
}

}  // namespace

std::string write_interface(const FmuParts& parts) {
  const bool is_three = parts.options.version == FmiVersion::three;
  const CQuantities& names = parts.library.names;
  const std::size_t forces = parts.model.system().m() > 0 ? parts.model.system().n() : 0;
  std::string text =
      fill_in(head_text, names, {{"version", is_three ? "3.0" : "2.0"}, {"token", c_string(parts.token)}});
  text += fill_in(fill_in(instance_text, names,
                          {{"parameters", std::to_string(names.parameters.size())},
                           {"forces", std::to_string(forces)},
                           {"tables", parameter_tables(parts)}}),
                  names);
  text += is_three ? fill_in(fmi3_text, names) + fill_in(fmi3_rest_text, names) : fill_in(fmi2_text, names);
  text += "\n";
  text += is_three ? fill_in(fmu_state_text, names,
                             {{"fmi", "fmi3"},
                              {"FMUstate", "FMUState"},
                              {"Deserialize", "Deserialize"},
                              {"byte", "uint8_t"}})
                   : fill_in(fmu_state_text, names,
                             {{"fmi", "fmi2"},
                              {"FMUstate", "FMUstate"},
                              {"Deserialize", "DeSerialize"},
                              {"byte", "char"}});
  return text;
}

}  // namespace dalembert::session

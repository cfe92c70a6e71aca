// modelDescription.xml, buildDescription.xml
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/unit.hpp>
#include <dalembert/base/xml_text.hpp>

#include "fmu_variables.hpp"

namespace dalembert::session {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, xml_text(value));
}

// Its powers must be whole there.
std::string base_unit(const Unit& unit) {
  constexpr std::array names{"kg", "m", "s", "A", "K"};
  std::string text = "      <BaseUnit";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double power = unit.powers[i];
    if (power != std::round(power)) return "";
    if (power != 0) text += fmt::format(" {}=\"{}\"", names[i], static_cast<int>(power));
  }
  if (unit.factor != 1) text += fmt::format(" factor=\"{}\"", unit.factor);
  return text + "/>\n";
}

std::string units(const FmuParts& parts) {
  std::map<std::string, Unit> used;
  for (const FmuVariable& variable : parts.variables)
    if (!variable.unit.empty()) used.try_emplace(variable.unit, parse_unit_label(variable.unit).unit);
  std::string text = "  <UnitDefinitions>\n";
  for (const auto& [name, unit] : used)
    text += fmt::format("    <Unit{}>\n{}    </Unit>\n", attribute("name", name), base_unit(unit));
  return text + "  </UnitDefinitions>\n";
}

std::string variable_3(const FmuVariable& variable, std::size_t reference) {
  std::string text =
      fmt::format("    <Float64 name=\"{}\" valueReference=\"{}\"", xml_text(variable.name), reference);
  text += attribute("description", variable.description) + attribute("causality", variable.causality) +
          attribute("variability", variable.variability) + attribute("initial", variable.initial) +
          attribute("unit", variable.unit);
  if (variable.derivative_of) text += fmt::format(" derivative=\"{}\"", *variable.derivative_of);
  if (variable.start) text += fmt::format(" start=\"{}\"", *variable.start);
  return text + "/>\n";
}

std::string variable_2(const FmuVariable& variable, std::size_t reference) {
  std::string text = fmt::format("    <ScalarVariable name=\"{}\" valueReference=\"{}\"",
                                 xml_text(variable.name), reference);
  text += attribute("description", variable.description) + attribute("causality", variable.causality) +
          attribute("variability", variable.variability) + attribute("initial", variable.initial) +
          ">\n      <Real" + attribute("unit", variable.unit);
  if (variable.derivative_of) text += fmt::format(" derivative=\"{}\"", *variable.derivative_of + 1);
  if (variable.start) text += fmt::format(" start=\"{}\"", *variable.start);
  return text + "/>\n    </ScalarVariable>\n";
}

// One element for each variable that `is_listed`.
std::string listed(const FmuParts& parts, const char* element, const auto& is_listed) {
  const bool is_three = parts.options.version == FmiVersion::three;
  std::string text;
  for (std::size_t i = 0; i < parts.variables.size(); ++i) {
    if (!is_listed(parts.variables[i])) continue;
    text += is_three ? fmt::format("    <{} valueReference=\"{}\"/>\n", element, i)
                     : fmt::format("      <Unknown index=\"{}\"/>\n", i + 1);
  }
  return is_three || text.empty() ? text : fmt::format("    <{0}>\n{1}    </{0}>\n", element, text);
}

std::string structure(const FmuParts& parts) {
  const bool is_three = parts.options.version == FmiVersion::three;
  const auto is_output = [](const FmuVariable& v) { return v.causality == "output"; };
  const auto is_derivative = [](const FmuVariable& v) { return v.derivative_of.has_value(); };
  const auto is_unknown_at_start = [&](const FmuVariable& v) {
    return v.initial == "calculated" &&
           (is_output(v) || is_derivative(v) || v.causality == "calculatedParameter");
  };
  return "  <ModelStructure>\n" + listed(parts, is_three ? "Output" : "Outputs", is_output) +
         listed(parts, is_three ? "ContinuousStateDerivative" : "Derivatives", is_derivative) +
         listed(parts, is_three ? "InitialUnknown" : "InitialUnknowns", is_unknown_at_start) +
         "  </ModelStructure>\n";
}

std::string interface_types(const FmuParts& parts) {
  const std::string identifier = parts.library.names.prefix;
  if (parts.options.version == FmiVersion::three) {
    return fmt::format(
        "  <ModelExchange modelIdentifier=\"{0}\" canGetAndSetFMUState=\"true\" "
        "canSerializeFMUState=\"true\" "
        "providesDirectionalDerivatives=\"true\" needsCompletedIntegratorStep=\"true\"/>\n"
        "  <CoSimulation modelIdentifier=\"{0}\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
        "providesDirectionalDerivatives=\"true\" canHandleVariableCommunicationStepSize=\"true\"/>\n",
        identifier);
  }
  const std::string sources =
      "    <SourceFiles>\n      <File name=\"model.c\"/>\n      <File name=\"fmu.c\"/>\n    </SourceFiles>\n";
  return fmt::format(
      "  <ModelExchange modelIdentifier=\"{0}\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
      "providesDirectionalDerivative=\"true\">\n{1}  </ModelExchange>\n"
      "  <CoSimulation modelIdentifier=\"{0}\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
      "providesDirectionalDerivative=\"true\" canHandleVariableCommunicationStepSize=\"true\">\n{1}  "
      "</CoSimulation>\n",
      identifier, sources);
}

}  // namespace

std::string describe(const FmuParts& parts) {
  const bool is_three = parts.options.version == FmiVersion::three;
  const ModelData& model = *parts.model.model();
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" "
      "{}=\"{}\"",
      is_three ? "3.0" : "2.0", xml_text(parts.library.names.prefix),
      is_three ? "instantiationToken" : "guid", parts.token);
  text += attribute("description", model.title) + attribute("generationTool", "Dalembert") +
          attribute("variableNamingConvention", "flat");
  if (!is_three) text += " numberOfEventIndicators=\"0\"";
  text += ">\n" + interface_types(parts) + units(parts);
  text += "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n  </LogCategories>\n";
  const double start = model.solve.start();
  text += fmt::format("  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" tolerance=\"{}\"/>\n", start,
                      start + model.solve.number("duration").value_or(10), parts.library.tolerance);
  text += "  <ModelVariables>\n";
  for (std::size_t i = 0; i < parts.variables.size(); ++i)
    text += is_three ? variable_3(parts.variables[i], i) : variable_2(parts.variables[i], i);
  return text + "  </ModelVariables>\n" + structure(parts) + "</fmiModelDescription>\n";
}

std::string describe_build(const FmuParts& parts) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
      "  <BuildConfiguration modelIdentifier=\"{}\">\n    <SourceFileSet language=\"C99\">\n"
      "      <SourceFile name=\"model.c\"/>\n      <SourceFile name=\"fmu.c\"/>\n    </SourceFileSet>\n"
      "    <Library name=\"m\" external=\"true\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
      parts.library.names.prefix);
}

}  // namespace dalembert::session

// A draft to the text of a model file.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/bodies/assemble.hpp>
#include <dalembert/draft/figure_kinds.hpp>
#include <dalembert/model/draft.hpp>
#include <dalembert/settings/option.hpp>

namespace dalembert {
namespace {

std::string quoted_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += fmt::format("\\{}", c);
    } else if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

// Digits, perhaps with a fraction and an exponent, as TOML wants them.
bool is_toml_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto digits = [&text] {
    const auto* const end = std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
    const auto count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
  };
  const bool zero_first = text.starts_with('0');
  const std::size_t whole = digits();
  constexpr std::size_t longest = 18;  // of a 64-bit integer
  if (whole == 0 || whole > longest || (zero_first && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    const std::size_t exponent = digits();
    if (exponent == 0 || exponent > 2) return false;
  }
  return text.empty();
}

std::string value(const Text& text) { return is_toml_number(text.text) ? text.text : quoted_text(text.text); }

std::string solve_value(const NamedText& setting) {
  const Option* const option = find_option(setting.name.text);
  const bool is_flag = option != nullptr && type_of(*option) == OptionType::flag;
  return is_flag ? setting.value.text : value(setting.value);
}

std::string key(const Name& name) {
  const bool bare = !name.text.empty() && std::all_of(name.text.begin(), name.text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
  return bare ? name.text : quoted_text(name.text);
}

std::string row(const TextRow& row) {
  std::vector<std::string> entries;
  for (const Text& text : row.entries) entries.push_back(value(text));
  return fmt::format("[{}]", join(entries, ", "));
}

std::string matrix(const TextMatrix& matrix) {
  std::vector<std::string> rows;
  for (const TextRow& texts : matrix.rows) rows.push_back(row(texts));
  return fmt::format("[{}]", join(rows, ", "));
}

class Writer {
 public:
  void line(std::string_view name, const std::string& text) { text_ += fmt::format("{} = {}\n", name, text); }
  void section(std::string_view name) { text_ += fmt::format("{}[{}]\n", text_.empty() ? "" : "\n", name); }
  void section(std::string_view name, const std::vector<NamedText>& items) {
    if (items.empty()) return;
    section(name);
    for (const NamedText& item : items) line(key(item.name), value(item.value));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_coordinates(Writer& writer, const ModelDraft& draft) {
  if (draft.coordinates.empty()) return;
  writer.section("coordinates");
  for (const auto& [name, start] : draft.coordinates) {
    std::string parts = "position = " + value(start.position);
    if (start.velocity) parts += ", velocity = " + value(*start.velocity);
    if (start.guess) parts += ", guess = true";
    if (start.fixed) parts += ", fixed = true";
    writer.line(key(name), fmt::format("{{ {} }}", parts));
  }
}

void write_dynamics(Writer& writer, const ModelDraft& draft) {
  if (draft.energy_where) {
    writer.section("energy");
    const auto energy = [&writer](std::string_view name, const std::optional<Text>& own,
                                  const std::string& of_bodies) {
      if (own && !of_bodies.empty()) {
        writer.line(name, value(fmt::format("{} + ({})", of_bodies, own->text)));
      } else if (own || !of_bodies.empty()) {
        writer.line(name, value(own ? *own : Text(of_bodies)));
      }
    };
    energy("kinetic", draft.kinetic, draft.kinetic_of_bodies);
    energy("potential", draft.potential, draft.potential_of_bodies);
    energy("dissipation", draft.dissipation, draft.dissipation_of_bodies);
  }
  if (draft.equations_where) {
    writer.section("equations");
    if (draft.mass) writer.line("mass", matrix(*draft.mass));
    if (draft.force) writer.line("force", row(*draft.force));
  }
  if (draft.kinematics_where) {
    writer.section("kinematics");
    if (draft.kinematic_c) writer.line("c", value(*draft.kinematic_c));
    if (draft.kinematic_C) writer.line("C", matrix(*draft.kinematic_C));
    if (draft.kinematic_K) writer.line("K", matrix(*draft.kinematic_K));
  }
}

// A table has each key once: forces on one coordinate are written as their sum.
std::vector<NamedText> summed(const std::vector<NamedText>& forces) {
  std::vector<NamedText> result;
  for (const NamedText& force : forces) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const NamedText& other) {
      return other.name.text == force.name.text;
    });
    if (same == result.end()) {
      result.push_back(force);
    } else {
      same->value.text = fmt::format("{} + ({})", same->value.text, force.value.text);
    }
  }
  return result;
}

std::string any_value(const Value& given) {
  std::vector<std::string> parts;
  switch (given.type) {
    case Value::Type::text:
      return value(given.text);
    case Value::Type::flag:
      return given.flag ? "true" : "false";
    case Value::Type::array:
      for (const Value& part : given.array) parts.push_back(any_value(part));
      return fmt::format("[{}]", join(parts, ", "));
    case Value::Type::table:
      for (const auto& [name, part] : given.table)
        parts.push_back(fmt::format("{} = {}", key(name), any_value(part)));
      return fmt::format("{{ {} }}", join(parts, ", "));
  }
  return "";
}

void write_inputs(Writer& writer, const ModelDraft& draft) {
  if (draft.inputs.empty()) return;
  writer.section("inputs");
  for (const Element& input : draft.inputs) {
    std::vector<Entry> entries = input.entries;
    std::erase_if(entries, [](const Entry& entry) { return entry.key.text == "unit"; });  // see [units]
    writer.line(key(input.name), any_value(Value::table_of(std::move(entries))));
  }
}

void write_figures(Writer& writer, const ModelDraft& draft) {
  for (const FigureKind& kind : figure_kinds()) {
    bool first = true;
    for (const DraftFigure& figure : draft.figures) {
      if (figure.kind != kind.name || kind.most == 0) continue;
      if (first) writer.section(fmt::format("view.{}", kind.key));
      first = false;
      writer.line(key(figure.element.name), any_value(Value::table_of(figure.element.entries)));
    }
  }
}

// [[event]], [[contact]]
void write_elements(Writer& writer, std::string_view section, const std::vector<Element>& elements) {
  for (const Element& element : elements) {
    writer.section(fmt::format("[{}]", section));
    writer.line("name", quoted_text(element.name.text));
    for (const auto& [name, given] : element.entries) writer.line(key(name), any_value(given));
  }
}

void write_disabled(Writer& writer, const ModelDraft& draft) {
  if (draft.disabled.empty()) return;
  std::vector<std::string> names;
  for (const Name& name : draft.disabled) names.push_back(quoted_text(name.text));
  writer.section("constraints");
  writer.line("disabled", fmt::format("[{}]", join(names, ", ")));
}

void write_view(Writer& writer, const ModelDraft& draft) {
  if (draft.points.empty() && draft.solids.empty() && draft.links.empty() && draft.traces.empty() &&
      draft.figures.empty())
    return;
  writer.section("view");
  for (const DraftFigure& figure : draft.figures) {
    if (figure.kind != "gravity") continue;
    writer.line("gravity", any_value(figure.element.entries.front().value));
    break;  // an arrow in the corner of the picture: one is enough
  }
  std::vector<std::string> links;
  for (const auto& [from, to] : draft.links) {
    links.push_back(fmt::format("[{}, {}]", quoted_text(from.text), quoted_text(to.text)));
  }
  std::vector<std::string> traces;
  for (const Name& name : draft.traces) traces.push_back(quoted_text(name.text));
  if (!links.empty()) writer.line("links", fmt::format("[{}]", join(links, ", ")));
  if (!traces.empty()) writer.line("traces", fmt::format("[{}]", join(traces, ", ")));
  if (!draft.points.empty()) writer.section("view.points");
  for (const auto& [name, position] : draft.points) writer.line(key(name), row(position));
  if (!draft.solids.empty()) writer.section("view.solids");
  for (const DraftSolid& solid : draft.solids) {
    std::string text =
        fmt::format("{{ shape = {}, position = {}", quoted_text(solid.shape.text), row(solid.position));
    if (!solid.size.entries.empty()) text += ", size = " + row(solid.size);
    if (!solid.rotation.entries.empty()) text += ", rotation = " + row(solid.rotation);
    if (!solid.turn.entries.empty()) text += ", turn = " + row(solid.turn);
    if (!solid.corners.rows.empty()) text += ", corners = " + matrix(solid.corners);
    if (solid.along) text += ", along = " + quoted_text(solid.along->text);
    writer.line(key(solid.name), text + " }");
  }
  write_figures(writer, draft);
}

}  // namespace

std::string to_model_file(const ModelDraft& draft) {
  if (has_bodies(draft)) return to_model_file(assemble_bodies(draft));
  Writer writer;
  if (!draft.title.empty()) writer.line("title", quoted_text(draft.title));
  if (!draft.source.empty()) writer.line("source", quoted_text(draft.source));
  if (draft.kind) writer.line("kind", quoted_text(draft.kind->text));
  writer.section("parameters", draft.parameters);
  write_inputs(writer, draft);
  write_coordinates(writer, draft);
  writer.section("definitions", draft.definitions);
  write_dynamics(writer, draft);
  writer.section("forces", summed(draft.forces));
  write_disabled(writer, draft);
  writer.section("constraints.holonomic", draft.holonomic);
  writer.section("constraints.nonholonomic", draft.nonholonomic);
  writer.section("outputs", draft.outputs);
  write_elements(writer, "contact", draft.contacts);
  write_elements(writer, "friction", draft.frictions);
  write_elements(writer, "event", draft.events);
  write_view(writer, draft);
  if (!draft.solve.empty()) writer.section("solve");
  for (const NamedText& setting : draft.solve) writer.line(key(setting.name), solve_value(setting));
  if (!draft.units.empty()) writer.section("units");
  for (const NamedText& unit : draft.units) writer.line(key(unit.name), quoted_text(unit.value.text));
  return writer.take();
}

}  // namespace dalembert

#include "assembly.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/bodies/assemble.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/reserved.hpp>

namespace dalembert {

ModelDraft assemble_bodies(ModelDraft draft) { return Assembly(std::move(draft)).run(); }

Assembly::Assembly(ModelDraft draft)
    : draft_(std::move(draft)), report_(draft_), constants_(graph_, draft_, report_) {
  const Vector none = make_vector(graph_, {0, 0, 0});
  ground_.name = "ground";
  ground_.ground = true;
  ground_.mass = ground_.angle0 = zero();
  ground_.center = ground_.r = ground_.v = ground_.omega = ground_.r0 = none;
  ground_.R = ground_.R0 = make_identity(graph_);
}

ModelDraft Assembly::run() {
  check_space();
  note_mentions();
  add_bodies();
  add_joints();
  add_forces();
  add_contacts();
  check_connections();
  if (draft_.solids.empty() && draft_.links.empty()) add_view();
  std::vector<NamedText> definitions = std::move(definitions_);
  definitions.insert(definitions.end(), draft_.definitions.begin(), draft_.definitions.end());
  definitions.insert(definitions.end(), later_definitions_.begin(), later_definitions_.end());
  draft_.definitions = std::move(definitions);
  if (!draft_.energy_where) draft_.energy_where.emplace();
  draft_.space.reset();
  draft_.bodies.clear();
  draft_.joints.clear();
  draft_.force_elements.clear();
  return std::move(draft_);
}

void Assembly::check_space() {
  const std::array<std::string, 2> known{"plane", "space"};
  const std::string space = draft_.space ? draft_.space->text : "plane";
  if (space != known[0] && space != known[1]) {
    report_.at_text(*draft_.space, "space", 0,
                    fmt::format("space must be \"plane\" or \"space\", not {}", in_quotes(space)));
  }
  plane_ = space == "plane";
  if (draft_.reactions && draft_.reactions->text != "all" && draft_.reactions->text != "none") {
    report_.at_text(
        *draft_.reactions, "reactions", 0,
        fmt::format("reactions must be \"all\" or \"none\", not {}", in_quotes(draft_.reactions->text)));
  }
  if (draft_.bodies.empty()) report_.at_model("a model with joints or force elements needs a [[body]]");
  if (draft_.equations_where) report_.at(*draft_.equations_where, "a model of bodies has no [equations]");
  if (draft_.kind && draft_.kind->text == "kinematic")
    report_.at_text(*draft_.kind, "kind", 0, "a kinematic model has no bodies");
}

Keys Assembly::keys_of(const Element& element, std::string_view kind) const {
  return {element, fmt::format("the {} {}", kind, in_quotes(element.name.text)), constants_, report_, plane_};
}

void Assembly::check_name(const Name& name, std::string_view kind) {
  if (const std::string meaning = meaning_of_reserved(name.text); !meaning.empty()) {
    report_.at_name(name, fmt::format("{} is reserved and cannot name a {}: it is {}", in_quotes(name.text),
                                      kind, meaning));
  }
  if (!is_definable_name(name.text) || name.text.find('.') != std::string::npos || name.text == "ground") {
    report_.at_name(
        name, fmt::format("{} cannot name a {}; a name is a letter followed by letters, digits and '_', "
                          "and 'ground' is what stands still",
                          in_quotes(name.text), kind));
  }
  const auto [it, is_new] = names_.try_emplace(name.text, name.where);
  if (is_new) return;
  const std::string place = it->second.line > 0 ? fmt::format(" (line {})", it->second.line) : "";
  report_.at_name(name, fmt::format("the name {} is given already{}: bodies, joints and forces have names of "
                                    "their own",
                                    in_quotes(name.text), place));
}

const Body& Assembly::body(const Text& name, const Keys& keys) const {
  if (name.text == "ground") return ground_;
  const auto it = body_by_name_.find(name.text);
  if (it != body_by_name_.end()) return *it->second;
  std::vector<std::string> known{"ground"};
  for (const Body& body : bodies_) known.push_back(body.name);
  report_.at_text(name, keys.what(), 0,
                  fmt::format("there is no body {}{}", in_quotes(name.text), suggestion(name.text, known)));
}

const Joint& Assembly::joint(const Text& name, const Keys& keys) const {
  const auto it = joint_by_name_.find(name.text);
  if (it != joint_by_name_.end()) return *it->second;
  std::vector<std::string> known;
  for (const Joint& joint : joints_) known.push_back(joint.name);
  report_.at_text(name, keys.what(), 0,
                  fmt::format("there is no joint {}{}", in_quotes(name.text), suggestion(name.text, known)));
}

Vector Assembly::unit_vector(std::size_t i) {
  return make_vector(graph_, {i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0});
}

Expr Assembly::define(const std::string& name, Expr e) {
  definitions_.push_back({name, to_text(e)});
  return graph_.symbol(name);
}

Vector Assembly::define(const std::string& name, const Vector& v) {
  Vector result{define(name + "x", v.x), define(name + "y", v.y), v.z};
  if (!plane_) result.z = define(name + "z", v.z);
  return result;
}

Expr Assembly::define_later(const std::string& name, Text text) {
  later_definitions_.push_back({name, std::move(text)});
  return graph_.symbol(name);
}

void Assembly::add_energy(std::string& energy, Expr term) const {
  if (term.is_zero()) return;
  if (!energy.empty()) energy += " + ";
  energy += fmt::format("({})", to_text(term));
}

}  // namespace dalembert

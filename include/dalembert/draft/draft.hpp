// A model as it was written, before any check: names and texts with their places.
//
// The model file and ModelBuilder both fill a ModelDraft; make_model checks it, so that both get the same
// messages.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/draft/element.hpp>

namespace dalembert {

struct NamedText {
  Name name;
  Text value;
};

struct TextRow {
  TextRow() = default;
  TextRow(std::initializer_list<Text> entries) : entries(entries) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  TextRow(std::vector<Text> entries, SourceLocation where = {})
      : entries(std::move(entries)), where(std::move(where)) {}

  std::vector<Text> entries;
  SourceLocation where;
};

struct TextMatrix {
  TextMatrix() = default;
  TextMatrix(std::initializer_list<TextRow> rows) : rows(rows) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  TextMatrix(std::vector<TextRow> rows, SourceLocation where = {})
      : rows(std::move(rows)), where(std::move(where)) {}

  std::vector<TextRow> rows;
  SourceLocation where;
};

/// The values of a coordinate at the start.
struct CoordinateStart {
  Text position = 0;
  std::optional<Text> velocity = {};  ///< absent: zero, free to be corrected
  bool guess = false;                 ///< the position may be corrected freely
  bool fixed = false;                 ///< neither position nor velocity may be corrected
};

struct DraftCoordinate {
  Name name;
  CoordinateStart start;
};

struct DraftPoint {
  Name name;
  TextRow position;  ///< two or three expressions
};

/// A body as the animation draws it.
struct DraftSolid {
  Name name;
  Text shape;    ///< box, cylinder, sphere, rod, plate, frame
  TextRow size;  ///< edges of a box; length and radius; a radius alone of a sphere or disk; a length of a
                 ///< thin rod
  std::optional<Text> along;  ///< the axis x, y or z of a cylinder (z) or rod (x)
  TextRow position;           ///< of its centre: two or three expressions
  TextRow rotation;           ///< an angle; in space a unit quaternion, scalar first; empty: it does not turn
  TextRow turn;               ///< the same of the shape within the solid, of parameters
  TextMatrix corners;         ///< of a plate
};

/// A part of the picture beside points, links and solids: a spring, a wheel, an arrow. `at` in its entries
/// says what holds it: names of points or solids, places, or { frame = ..., place = [...] }.
struct DraftFigure {
  std::string kind;  ///< of figure_kinds()
  Element element;
};

/// A model file's sections, by their names there. Places without a file are places in `text`.
struct ModelDraft {
  std::string file;  ///< for messages
  std::string text;  ///< the whole file, which places refer to; empty when there is none

  std::string title;
  std::string source;
  std::optional<Text> kind;

  /// Bodies, joints and force elements, which assemble_bodies turns into the parts below.
  std::optional<Text> space;      ///< "plane" or "space"
  std::optional<Text> reactions;  ///< "all" or "none"
  std::vector<Element> bodies;
  std::vector<Element> joints;
  std::vector<Element> force_elements;

  std::vector<NamedText> parameters;
  std::vector<Element> inputs;  ///< functions of time that are given by data
  std::vector<DraftCoordinate> coordinates;
  std::vector<NamedText> definitions;

  std::optional<Text> kinetic;
  std::optional<Text> potential;
  std::optional<Text> dissipation;
  std::string kinetic_of_bodies;  ///< added to the energies above; empty when there are no bodies
  std::string potential_of_bodies;
  std::string dissipation_of_bodies;
  std::optional<TextMatrix> mass;
  std::optional<TextRow> force;
  std::vector<NamedText> forces;  ///< by coordinate; several of one coordinate are added

  std::vector<NamedText> holonomic;
  std::vector<NamedText> nonholonomic;
  std::vector<Name> disabled;  ///< constraints that do not hold at the start

  std::vector<Element> events;
  std::vector<Element> contacts;
  std::vector<Element> frictions;  ///< where constraints press

  std::optional<Text> kinematic_c;
  std::optional<TextMatrix> kinematic_C;
  std::optional<TextMatrix> kinematic_K;

  std::vector<NamedText> outputs;
  std::vector<Text> columns;  ///< further outputs, each called by its own text: definitions, expressions
  std::vector<DraftPoint> points;
  std::vector<DraftSolid> solids;
  std::vector<std::array<Name, 2>> links;
  std::vector<Name> traces;
  std::vector<DraftFigure> figures;
  std::vector<NamedText> solve;  ///< by key
  std::vector<NamedText> units;  ///< by name of a quantity, or by a pattern with *

  std::vector<std::string> warnings;  ///< of what is allowed and probably not meant

  /// Where the tables stand that say how the system moves; absent ones were not written.
  std::optional<SourceLocation> energy_where;
  std::optional<SourceLocation> equations_where;
  std::optional<SourceLocation> kinematics_where;
};

}  // namespace dalembert

#include "campaign/generator.hpp"

#include <cstddef>

#include "campaign/canvas.hpp"
#include "campaign/formulas.hpp"
#include "campaign/mechanisms.hpp"

namespace dalembert::campaign {
namespace {

void draw_formulas(Canvas& canvas, Kind kind) {
  Dice& dice = canvas.dice;
  const double duration = dice.value(1, 8);
  const bool constrained = kind == Kind::holonomic || kind == Kind::rheonomic || kind == Kind::nonholonomic;
  const std::size_t coordinates = dice.between(constrained ? 2 : 1, 4);
  const bool other_units = kind != Kind::matrices && kind != Kind::friction && dice.chance(0.15);
  Formulas formulas(canvas, coordinates, duration, other_units);
  if (kind == Kind::matrices) {
    formulas.matrices();
  } else {
    formulas.energies();
  }
  const auto holonomic = [&](bool rheonomic) {
    formulas.holonomic(dice.between(1, coordinates - 1), rheonomic);
  };
  switch (kind) {
    case Kind::holonomic:
      holonomic(false);
      break;
    case Kind::rheonomic:
      holonomic(true);
      break;
    case Kind::nonholonomic:
      formulas.nonholonomic(coordinates > 3 ? dice.between(1, 2) : 1);
      break;
    case Kind::kink:
      for (std::size_t i = dice.between(1, 2); i > 0; --i) formulas.kink();
      if (coordinates > 1 && dice.chance(0.3)) holonomic(dice.chance(0.3));
      break;
    case Kind::contact:
      formulas.contact();
      break;
    case Kind::pulse:
      formulas.pulse();
      if (coordinates > 1 && dice.chance(0.3)) holonomic(false);
      break;
    case Kind::friction:
      for (std::size_t i = dice.between(1, 2); i > 0; --i) formulas.friction();
      break;
    case Kind::matrices:
      if (coordinates > 1 && dice.chance(0.5)) holonomic(dice.chance(0.3));
      break;
    case Kind::potential:
    case Kind::plane:
    case Kind::space:
      break;
  }
  if (dice.chance(0.3)) formulas.smooth_force();
  formulas.write_units();
  canvas.solve(duration);
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::potential:
      return "potential";
    case Kind::holonomic:
      return "holonomic";
    case Kind::rheonomic:
      return "rheonomic";
    case Kind::nonholonomic:
      return "nonholonomic";
    case Kind::matrices:
      return "matrices";
    case Kind::kink:
      return "kink";
    case Kind::contact:
      return "contact";
    case Kind::pulse:
      return "pulse";
    case Kind::plane:
      return "plane";
    case Kind::space:
      return "space";
    case Kind::friction:
      return "friction";
  }
  return "";
}

std::string make_model(Kind kind, std::uint64_t seed) {
  Canvas canvas(seed * all_kinds.size() + static_cast<std::uint64_t>(kind));
  if (kind == Kind::plane) {
    draw_plane_mechanism(canvas);
  } else if (kind == Kind::space) {
    draw_space_mechanism(canvas);
  } else {
    draw_formulas(canvas, kind);
  }
  return canvas.sketch.text();
}

}  // namespace dalembert::campaign

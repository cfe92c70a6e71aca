// Small models with one property each.
#pragma once

#include <string>

#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert::test {

inline System shipped(const std::string& name, const std::vector<Override>& overrides = {}) {
  return System(read_model(std::string(DALEMBERT_SOURCE_DIR) + "/models/" + name + ".toml", overrides));
}

/// A unit mass in the plane under gravity 10, at (x, y).
inline ModelBuilder particle(const CoordinateStart& x, const CoordinateStart& y) {
  ModelBuilder builder("particle");
  builder.coordinate("x", x).coordinate("y", y).kinetic("(x'^2 + y'^2)/2").potential("10*y");
  return builder;
}

/// Crank, coupler and slider with absolute angles and the slider's place, all consistent:
/// l1 sin(phi) = l2 sin(psi), x = l1 cos(phi) + l2 cos(psi).
inline ModelBuilder slider_crank(const CoordinateStart& phi, const CoordinateStart& psi,
                                 const CoordinateStart& x) {
  ModelBuilder builder("slider-crank");
  builder.parameter("l1", 0.3).parameter("l2", 1);
  builder.coordinate("phi", phi).coordinate("psi", psi).coordinate("x", x);
  builder.kinetic("phi'^2/20 + psi'^2/10 + x'^2/2");
  builder.holonomic("height", "l1*sin(phi) - l2*sin(psi)")
      .holonomic("place", "l1*cos(phi) + l2*cos(psi) - x");
  return builder;
}

}  // namespace dalembert::test

// What an imported robot does at its start: accelerations of its bodies.
#pragma once

#include <map>
#include <string>

#include <Eigen/Geometry>

#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/start.hpp>

namespace dalembert::test {

struct BodyAcceleration {
  Eigen::Vector3d center;   ///< of the centre of mass
  Eigen::Vector3d angular;  ///< both in space directions
};

inline bool has_urdf() {
  try {
    import_urdf("<robot");
  } catch (const Error& error) {
    return error.message().find("urdfdom") == std::string::npos;
  }
  return true;
}

// α = 2 E p'' with the quaternion p, since E p' · p' terms vanish.
inline BodyAcceleration acceleration_of(const std::map<std::string, double>& q,
                                        const std::map<std::string, double>& a, const std::string& body) {
  const auto e = [&](int i) { return q.at(body + ".e" + std::to_string(i)); };
  Eigen::Matrix<double, 3, 4> E;
  E << -e(1), e(0), -e(3), e(2),  //
      -e(2), e(3), e(0), -e(1),   //
      -e(3), -e(2), e(1), e(0);
  Eigen::Vector4d second;
  for (int i = 0; i < 4; ++i) second[i] = a.at(body + ".e" + std::to_string(i));
  return {{a.at(body + ".x"), a.at(body + ".y"), a.at(body + ".z")}, 2 * E * second};
}

/// By the bodies' names.
inline std::map<std::string, BodyAcceleration> accelerations(const std::string& model) {
  const System system(read_model_text(model, "robot"));
  const Start start = find_start(system);
  std::map<std::string, double> q, a;
  for (std::size_t i = 0; i < system.n(); ++i) {
    q[system.coordinate_name(i)] = start.q[i];
    a[system.coordinate_name(i)] = start.a[i];
  }
  std::map<std::string, BodyAcceleration> result;
  for (const auto& [name, value] : q) {
    if (name.ends_with(".e0")) {
      const std::string body = name.substr(0, name.size() - 3);
      result[body] = acceleration_of(q, a, body);
    }
  }
  return result;
}

}  // namespace dalembert::test

#include "mesh.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/base64.hpp>
#include <dalembert/base/error.hpp>

namespace dalembert {
namespace {

constexpr std::size_t most_triangles = 2'000'000;  // of a file
constexpr std::uintmax_t largest_file = 128U << 20U;

std::string read_bytes(const std::filesystem::path& file) {
  std::error_code unknown;
  if (std::filesystem::file_size(file, unknown) > largest_file && !unknown)
    throw Error(fmt::format("it is larger than {} MB", largest_file >> 20U));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error("it cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void check_count(std::size_t triangles) {
  if (triangles > most_triangles) throw Error(fmt::format("it has more than {} triangles", most_triangles));
}

Mesh read_binary_stl(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  check_count(count);
  Mesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 9> corners{};
    std::memcpy(corners.data(), bytes.data() + 84 + 50 * i + 12, sizeof corners);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::size_t k = 0; k < 3; ++k)
      mesh.vertices.emplace_back(corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

// The next word of a line.
std::string_view next_word(std::string_view& rest) {
  const std::size_t begin = std::min(rest.find_first_not_of(" \t\r"), rest.size());
  rest.remove_prefix(begin);
  const std::string_view word = rest.substr(0, std::min(rest.find_first_of(" \t\r"), rest.size()));
  rest.remove_prefix(word.size());
  return word;
}

double next_number(std::string_view& rest) {
  std::string_view word = next_word(rest);
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc() ||
      !std::isfinite(value))
    throw Error(fmt::format("'{}' is no number", word.substr(0, 20)));
  return value;
}

template <class Take>
void each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Mesh read_text_stl(std::string_view text) {
  Mesh mesh;
  each_line(text, [&](std::string_view line) {
    if (next_word(line) != "vertex") return;
    const double x = next_number(line), y = next_number(line), z = next_number(line);
    mesh.vertices.emplace_back(x, y, z);
    const auto count = static_cast<std::uint32_t>(mesh.vertices.size());
    if (count % 3 == 0) mesh.triangles.push_back({count - 3, count - 2, count - 1});
    check_count(mesh.triangles.size());
  });
  return mesh;
}

Mesh read_stl(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, sizeof count);
  const bool binary = bytes.size() >= 84 && bytes.size() == 84 + 50 * static_cast<std::size_t>(count);
  return binary ? read_binary_stl(bytes) : read_text_stl(bytes);
}

// Faces of more than three corners are fans; negative numbers count from the last vertex.
Mesh read_obj(std::string_view text) {
  Mesh mesh;
  each_line(text, [&](std::string_view line) {
    const std::string_view kind = next_word(line);
    if (kind == "v") {
      const double x = next_number(line), y = next_number(line), z = next_number(line);
      mesh.vertices.emplace_back(x, y, z);
    }
    if (kind != "f") return;
    std::vector<std::uint32_t> corners;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      long number = 0;
      std::from_chars(word.data(), word.data() + word.size(), number);
      const auto size = static_cast<long>(mesh.vertices.size());
      const long index = number < 0 ? size + number : number - 1;
      if (index < 0 || index >= size)
        throw Error(fmt::format("a face has no vertex '{}'", word.substr(0, 20)));
      corners.push_back(static_cast<std::uint32_t>(index));
    }
    for (std::size_t i = 2; i < corners.size(); ++i)
      mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    check_count(mesh.triangles.size());
  });
  return mesh;
}

// A grid of `rows` by `columns` vertices as triangles; the last column meets the first.
void add_strip(Mesh& mesh, std::uint32_t rows, std::uint32_t columns) {
  for (std::uint32_t i = 0; i + 1 < rows; ++i) {
    for (std::uint32_t k = 0; k < columns; ++k) {
      const std::uint32_t a = i * columns + k, b = i * columns + (k + 1) % columns;
      mesh.triangles.push_back({a, b, b + columns});
      mesh.triangles.push_back({a, b + columns, a + columns});
    }
  }
}

constexpr std::uint32_t sides = 20;  // of what is round

// Vertices around z with these radii and heights.
Mesh turned_mesh(const std::vector<std::pair<double, double>>& profile) {
  Mesh mesh;
  for (const auto& [radius, height] : profile) {
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
    }
  }
  add_strip(mesh, static_cast<std::uint32_t>(profile.size()), sides);
  return mesh;
}

// Vertices in one cell of a grid become their mean; triangles without area are left out.
Mesh clustered(const Mesh& mesh, double cell) {
  using Cell = std::tuple<long, long, long>;
  std::map<Cell, std::uint32_t> numbers;
  std::vector<std::uint32_t> new_number(mesh.vertices.size());
  std::vector<double> weights;
  Mesh result;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Eigen::Vector3d& v = mesh.vertices[i];
    const Cell key{std::lround(v.x() / cell), std::lround(v.y() / cell), std::lround(v.z() / cell)};
    const auto [it, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(result.vertices.size()));
    if (is_new) {
      result.vertices.push_back(v);
      weights.push_back(1);
    } else {
      Eigen::Vector3d& mean = result.vertices[it->second];
      mean += (v - mean) / ++weights[it->second];
    }
    new_number[i] = it->second;
  }
  std::map<std::array<std::uint32_t, 3>, bool> seen;
  for (const auto& corners : mesh.triangles) {
    const std::array<std::uint32_t, 3> t{new_number[corners[0]], new_number[corners[1]],
                                         new_number[corners[2]]};
    if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2]) continue;
    std::array<std::uint32_t, 3> key = t;
    std::sort(key.begin(), key.end());
    if (seen.try_emplace(key, true).second) result.triangles.push_back(t);
  }
  return result;
}

Eigen::AlignedBox3d box_of(const Mesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& vertex : mesh.vertices) box.extend(vertex);
  return box;
}

}  // namespace

void Mesh::append(const Mesh& other, const Eigen::Affine3d& placed) {
  const auto first = static_cast<std::uint32_t>(vertices.size());
  for (const Eigen::Vector3d& vertex : other.vertices) vertices.push_back(placed * vertex);
  for (const auto& [a, b, c] : other.triangles) triangles.push_back({first + a, first + b, first + c});
}

Mesh read_mesh(const std::filesystem::path& file) {
  std::string suffix = file.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (suffix != ".stl" && suffix != ".obj") throw Error("it is neither STL nor OBJ");
  const std::string bytes = read_bytes(file);
  Mesh mesh = suffix == ".stl" ? read_stl(bytes) : read_obj(bytes);
  if (mesh.triangles.empty()) throw Error("it has no triangles");
  const bool finite = std::all_of(mesh.vertices.begin(), mesh.vertices.end(),
                                  [](const Eigen::Vector3d& vertex) { return vertex.allFinite(); });
  if (!finite) throw Error("it has vertices that are not finite");
  return mesh;
}

Mesh box_mesh(const Eigen::Vector3d& size) {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](int axis) { return (corner >> axis & 1) != 0 ? 0.5 : -0.5; };
    mesh.vertices.emplace_back(side(0) * size.x(), side(1) * size.y(), side(2) * size.z());
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

Mesh cylinder_mesh(double radius, double length) {
  return turned_mesh({{0, -length / 2}, {radius, -length / 2}, {radius, length / 2}, {0, length / 2}});
}

Mesh sphere_mesh(double radius) {
  std::vector<std::pair<double, double>> profile;
  // a sphere looks round on a page
  constexpr int rings = 10;
  for (int i = 0; i <= rings; ++i) {
    const double angle = std::numbers::pi * i / rings;
    profile.emplace_back(radius * std::sin(angle), -radius * std::cos(angle));
  }
  return turned_mesh(profile);
}

Mesh simplified(const Mesh& mesh, std::size_t most) {
  const double size = std::max(box_of(mesh).sizes().maxCoeff(), 1e-12);
  if (!std::isfinite(size) || !std::isfinite(box_of(mesh).min().sum() / size)) return {};
  Mesh result = clustered(mesh, 1e-6 * size);  // corners that are one, as all in STL
  for (double cell = size / 256; result.triangles.size() > most; cell *= 1.25) result = clustered(mesh, cell);
  return result;
}

std::string mesh_text(const Mesh& mesh) {
  static_assert(std::endian::native == std::endian::little);
  const Eigen::AlignedBox3d box = box_of(mesh);
  // the largest 16-bit number: coordinates are 16-bit steps of the box
  constexpr double most = 65535;
  const double step = std::max(box.sizes().maxCoeff(), 1e-12) / most;
  std::string bytes;
  const auto add = [&]<class T>(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (int axis = 0; axis < 3; ++axis) add(static_cast<float>(box.min()[axis]));
  add(static_cast<float>(step));
  add(static_cast<std::uint32_t>(mesh.vertices.size()));
  add(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Eigen::Vector3d& vertex : mesh.vertices) {
    for (int axis = 0; axis < 3; ++axis)
      add(static_cast<std::uint16_t>(std::lround((vertex[axis] - box.min()[axis]) / step)));
  }
  for (const auto& corners : mesh.triangles) {
    for (const std::uint32_t corner : corners) add(static_cast<std::uint16_t>(corner));
  }
  return to_base64(bytes);
}

}  // namespace dalembert

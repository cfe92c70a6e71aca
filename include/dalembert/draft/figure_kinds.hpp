// The kinds of figures that a picture may have beside points, links and solids.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace dalembert {

struct FigureKind {
  std::string_view name;  ///< spring
  std::string_view key;   ///< of a list of them in [view]: springs
  std::size_t least;      ///< how many anchors it has
  std::size_t most;
  std::string_view needs;  ///< keys that it must have, separated by blanks
  std::string_view may_have;
};

std::span<const FigureKind> figure_kinds();

/// Null where there is none of this name.
const FigureKind* find_figure_kind(std::string_view name);

/// What a key of a figure holds.
struct FigureKey {
  std::string_view name;
  enum class Count { one, vector, word } count;
  bool moves;  ///< any expression, else one of parameters
};

const FigureKey& figure_key(std::string_view name);

}  // namespace dalembert

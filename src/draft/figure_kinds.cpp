#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <dalembert/draft/figure_kinds.hpp>

namespace dalembert {
namespace {

// Two anchors of a joint are its point on the first and on the second body; directions are those of the
// first.
constexpr std::array kinds{
    FigureKind{"spring", "springs", 2, 2, "", "radius coils"},
    FigureKind{"damper", "dampers", 2, 2, "", "radius"},
    FigureKind{"spiral", "spirals", 2, 2, "", "axis radius"},
    FigureKind{"bushing", "bushings", 2, 2, "", "radius"},
    FigureKind{"bar", "bars", 2, 2, "", "radius"},
    FigureKind{"string", "strings", 2, 2, "", "length radius"},
    FigureKind{"wheel", "wheels", 1, 1, "radius", "angle axis width"},
    FigureKind{"ball", "balls", 1, 1, "radius", ""},
    FigureKind{"circle", "circles", 1, 1, "radius", "axis"},
    FigureKind{"polygon", "polygons", 3, 1000, "", ""},
    FigureKind{"mesh", "meshes", 1, 1, "data", ""},
    FigureKind{"gear", "gears", 2, 2, "ratio", "axis axis2 rack"},
    FigureKind{"pin", "pins", 2, 2, "", "axis"},
    FigureKind{"guide", "guides", 2, 2, "axis", ""},
    FigureKind{"slot", "slots", 2, 2, "axis", ""},
    FigureKind{"sleeve", "sleeves", 2, 2, "axis", ""},
    FigureKind{"screw", "screws", 2, 2, "axis pitch", ""},
    FigureKind{"socket", "sockets", 2, 2, "", ""},
    FigureKind{"universal", "universals", 2, 2, "axis axis2", ""},
    FigureKind{"weld", "welds", 2, 2, "", ""},
    FigureKind{"table", "tables", 2, 2, "axis", ""},
    FigureKind{"ground", "grounds", 1, 2, "axis", ""},
    FigureKind{"motor", "motors", 2, 2, "", "axis slides"},
    FigureKind{"arrow", "arrows", 1, 1, "vector", "scale quantity"},
    FigureKind{"torque", "torques", 1, 1, "turn", "scale"},
    FigureKind{"gravity", "gravity", 0, 0, "vector", ""},
};

constexpr std::array keys{
    FigureKey{"radius", FigureKey::Count::one, false},    FigureKey{"coils", FigureKey::Count::one, false},
    FigureKey{"width", FigureKey::Count::one, false},     FigureKey{"length", FigureKey::Count::one, false},
    FigureKey{"ratio", FigureKey::Count::one, false},     FigureKey{"rack", FigureKey::Count::vector, false},
    FigureKey{"slides", FigureKey::Count::one, false},    FigureKey{"pitch", FigureKey::Count::one, false},
    FigureKey{"scale", FigureKey::Count::one, false},     FigureKey{"axis", FigureKey::Count::vector, false},
    FigureKey{"axis2", FigureKey::Count::vector, false},  FigureKey{"angle", FigureKey::Count::one, true},
    FigureKey{"turn", FigureKey::Count::one, true},       FigureKey{"vector", FigureKey::Count::vector, true},
    FigureKey{"quantity", FigureKey::Count::word, false}, FigureKey{"data", FigureKey::Count::word, false},
};

}  // namespace

std::span<const FigureKind> figure_kinds() { return kinds; }

const FigureKind* find_figure_kind(std::string_view name) {
  const auto* const found =
      std::find_if(kinds.begin(), kinds.end(), [&](const FigureKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

const FigureKey& figure_key(std::string_view name) {
  return *std::find_if(keys.begin(), keys.end(), [&](const FigureKey& key) { return key.name == name; });
}

}  // namespace dalembert

// Bodies, joints and force elements to an ordinary model (docs/bodies.md has the formulas and their signs).
#pragma once

#include <dalembert/draft/draft.hpp>

namespace dalembert {

inline bool has_bodies(const ModelDraft& draft) {
  return !draft.bodies.empty() || !draft.joints.empty() || !draft.force_elements.empty() || draft.space;
}

/// The same model with coordinates, definitions, energies, forces, constraints, outputs and view in place of
/// its bodies, joints and force elements. Throws Error with the place of the first mistake.
ModelDraft assemble_bodies(ModelDraft draft);

}  // namespace dalembert

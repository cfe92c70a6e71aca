// The scene of a page as JSON: docs/report.md has its keys.
#pragma once

#include <dalembert/output/scene.hpp>

#include "run_json.hpp"

namespace dalembert {

Json scene_json(const Scene& scene);

}  // namespace dalembert

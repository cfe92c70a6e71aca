// Makes a failing model as small as it gets while it still fails.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace dalembert::campaign {

/// Model texts that are a little smaller: without a body, line or term; with a coordinate held at its start,
/// a definition or parameter put in place; with rounder numbers. Coarse changes come first. Some are no
/// models.
std::vector<std::string> smaller_models(const std::string& text);

/// Smaller forms of one formula.
std::vector<std::string> smaller_formulas(const std::string& formula);

/// Takes smaller models as long as one `fails`, which is asked at most `most_tries` times.
std::string shrink(std::string text, const std::function<bool(const std::string&)>& fails,
                   std::size_t most_tries);

}  // namespace dalembert::campaign

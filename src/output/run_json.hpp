// A run's report and record as JSON values.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <dalembert/output/run_record.hpp>

namespace dalembert {

using Json = nlohmann::ordered_json;

Json to_json(const RunReport& report);

/// Title, source, text, settings, options and summary; what is missing of a file follows in the same object.
Json to_json(const RunRecord& record);

/// Texts that are not UTF-8 lose the bytes in question.
std::string dump(const Json& json, int indent = -1);

}  // namespace dalembert

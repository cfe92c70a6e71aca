// The matrix of docs/methods/README.md against the program, in short: every method and model is in it, what
// it says is refused is refused for the reason given, and the rest runs.
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/solve/solve.hpp>

#include "docs/content.hpp"

namespace dalembert {
namespace {

struct Matrix {
  std::vector<std::string> methods;
  std::map<std::string, std::vector<std::string>> rows;  // by model
  std::map<std::string, std::string> remarks;            // by "`method` on `model`"
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

Matrix read_matrix() {
  const std::string page = content(std::filesystem::path(DALEMBERT_SOURCE_DIR) / "docs/methods/README.md");
  const auto begin = page.find("<!-- matrix:"), end = page.find("<!-- end of matrix -->");
  EXPECT_NE(begin, std::string::npos);
  EXPECT_NE(end, std::string::npos);
  std::istringstream lines(page.substr(begin, end - begin));
  Matrix matrix;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| model |", 0) == 0) {
      matrix.methods = cells_of(line);
      matrix.methods.erase(matrix.methods.begin());
    } else if (line.rfind("| ", 0) == 0) {
      std::vector<std::string> cells = cells_of(line);
      const std::string model = cells[0];
      cells.erase(cells.begin());
      matrix.rows[model] = cells;
    } else if (line.rfind("- ", 0) == 0) {
      const auto colon = line.find(": ");
      std::istringstream places(line.substr(2, colon - 2));
      for (std::string place; std::getline(places, place, ',');)
        matrix.remarks[place.substr(place.find('`'))] = line.substr(colon + 2);
    }
  }
  return matrix;
}

// What the first hundredth of the run says: empty, or why it was refused or stopped.
std::string try_run(const System& system, const std::string& method) {
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.step = std::abs(options.duration) / 10000;
  options.duration /= 100;
  options.output_times = {options.start + options.duration};
  try {
    return solve(system, options, SampleSink<double>{}).reason;
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(MethodMatrix, ListsEveryMethodAndEveryModel) {
  const Matrix matrix = read_matrix();
  std::vector<std::string> registered;
  for (const Method& method : methods()) registered.emplace_back(method.name);
  EXPECT_EQ(matrix.methods, registered) << "run tools/make_method_matrix";
  for (const auto& file : std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".toml") continue;
    const auto row = matrix.rows.find(file.path().stem().string());
    ASSERT_NE(row, matrix.rows.end()) << file.path() << ": run tools/make_method_matrix";
    EXPECT_EQ(row->second.size(), registered.size());
  }
}

class MatrixRow : public ::testing::TestWithParam<std::string> {};

TEST_P(MatrixRow, SaysWhatHappens) {
  const Matrix matrix = read_matrix();
  const Model model = read_model(DALEMBERT_SOURCE_DIR "/models/" + GetParam() + ".toml");
  if (model->kind == ModelKind::kinematic) GTEST_SKIP() << "kinematic models have tests of their own";
  const System system(model);
  const std::vector<std::string>& row = matrix.rows.at(GetParam());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string reason = try_run(system, matrix.methods[i]);
    const bool refused = row[i] == "refused";
    if (row[i] == "stopped") continue;  // later than the first hundredth of the run, perhaps
    EXPECT_EQ(!reason.empty(), refused) << matrix.methods[i] << " on " << GetParam() << ": " << reason;
    if (!refused) continue;
    const std::string& remark = matrix.remarks.at("`" + matrix.methods[i] + "` on `" + GetParam() + "`");
    EXPECT_NE(remark.find(reason), std::string::npos) << remark << " but: " << reason;
  }
}

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/models")) {
    const std::string name = file.path().stem();
    // the long row of four-bars has the equations of the short one and takes long by fourteen methods
    if (file.path().extension() == ".toml" && name != "iftomm_a02_n40") names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(ShippedModels, MatrixRow, ::testing::ValuesIn(models()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dalembert

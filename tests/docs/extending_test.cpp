// docs/extending.md names files that exist, and lists what the program has.
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/function.hpp>
#include <dalembert/solve/solve.hpp>

#include "docs/content.hpp"

namespace {

using Names = std::vector<std::string>;

const std::string& extending_page() {
  static const std::string page = content("docs/extending.md");
  return page;
}

// Behind <!-- name -->.
Names listed(const std::string& name) {
  const std::string mark = "<!-- " + name + " -->";
  const std::size_t begin = extending_page().find(mark);
  EXPECT_NE(begin, std::string::npos) << mark;
  const std::size_t end = extending_page().find("<!-- end -->", begin);
  return all_matches(extending_page().substr(begin, end - begin), "`([^`]+)`");
}

bool exists(const std::string& file) {
  return std::filesystem::exists(std::filesystem::path(DALEMBERT_SOURCE_DIR) / file);
}

TEST(ExtendingPage, NamesFilesThatExist) {
  const Names files = all_matches(extending_page(), R"(`((?:include|src|apps|tests|docs)/[^`]*)`)");
  EXPECT_GT(files.size(), 30U);
  for (const std::string& file : files) EXPECT_TRUE(exists(file)) << file;
}

TEST(ExtendingPage, ListsTheFunctions) {
  Names functions;
  for (std::size_t i = 0; i < dalembert::function_count; ++i)
    functions.emplace_back(info(static_cast<dalembert::Function>(i)).name);
  EXPECT_EQ(listed("functions"), functions);
  const std::string expressions = content("docs/model-file.md");
  for (const std::string& name : functions)
    EXPECT_TRUE(
        std::regex_search(expressions, std::regex("\\| `[a-z0-9 ]*\\b" + name + "\\b[a-z0-9 ]*` \\|")))
        << name << " is not in the table of docs/model-file.md";
}

TEST(ExtendingPage, FilesOfFunctionsAreIncludedOnceEach) {
  const std::filesystem::path folder =
      std::filesystem::path(DALEMBERT_SOURCE_DIR) / "include/dalembert/expr/functions";
  const std::string all = content(folder / "all.hpp");
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (name == "all.hpp" || name == "unit.hpp") continue;
    EXPECT_EQ(all_matches(all, "(functions/" + name + ">)").size(), 1U) << name;
  }
}

TEST(ExtendingPage, ListsTheMethods) {
  Names methods;
  for (const dalembert::Method& method : dalembert::methods()) methods.emplace_back(method.name);
  EXPECT_EQ(listed("methods"), methods);
}

TEST(ExtendingPage, ListsTheJoints) {
  const Names joints =
      all_matches(content("src/bodies/joint_types.cpp"), R"_(\n      \{"([a-z]+)", (?:&|nullptr))_");
  EXPECT_GT(joints.size(), 5U);
  EXPECT_EQ(listed("joints"), joints);
}

TEST(ExtendingPage, ListsTheOutputFormats) {
  EXPECT_EQ(listed("formats"),
            all_matches(content("src/output/result_writer.cpp"), R"_(suffix == "(\.[a-z0-9]+)")_"));
}

TEST(ExtendingPage, ListsTheCommands) {
  const Names commands = all_matches(content("apps/dalembert/command.hpp"), R"(\nvoid add_([a-z]+)\(CLI)");
  EXPECT_EQ(listed("commands"), commands);
  for (const std::string& name : commands)
    EXPECT_TRUE(exists("apps/dalembert/command_" + name + ".cpp")) << name;
}

}  // namespace

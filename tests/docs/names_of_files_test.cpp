// Documents and comments name files that exist.
#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "docs/content.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path root = DALEMBERT_SOURCE_DIR;

std::vector<fs::path> files_below(const std::vector<std::string>& folders,
                                  const std::set<std::string>& suffixes) {
  std::vector<fs::path> files;
  for (const std::string& folder : folders) {
    for (auto entry = fs::recursive_directory_iterator(root / folder); entry != end(entry); ++entry) {
      if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
      if (entry->is_regular_file() && suffixes.contains(entry->path().extension()))
        files.push_back(entry->path());
    }
  }
  return files;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> files = files_below({"docs"}, {".md"});
  files.push_back(root / "README.md");
  files.push_back(root / "bench/README.md");
  return files;
}

// A word in capitals stands for any name.
bool is_pattern(const std::string& file) { return std::regex_search(file, std::regex("[A-Z]{4}")); }

bool exists_below(const fs::path& here, const std::string& file) {
  const std::array folders{root, here, root / "src", root / "include", root / "include/dalembert"};
  return std::ranges::any_of(folders, [&](const fs::path& folder) { return fs::exists(folder / file); });
}

TEST(Documents, NameSourceFilesThatExist) {
  std::size_t count = 0;
  for (const fs::path& document : documents()) {
    const char* const quoted = R"(`((?:[\w.-]+/)+[\w.-]+\.(?:hpp|cpp|h|c|ts|cmake))`)";
    for (const std::string& file : all_matches(content(document), quoted)) {
      ++count;
      if (!is_pattern(file)) {
        EXPECT_TRUE(exists_below(document.parent_path(), file)) << document << " names " << file;
      }
    }
  }
  EXPECT_GT(count, 100U);
}

TEST(Documents, LinkToFilesThatExist) {
  std::size_t count = 0;
  for (const fs::path& document : documents()) {
    for (const std::string& file : all_matches(content(document), R"(\]\(([^)#\s:]+)[)#])")) {
      ++count;
      EXPECT_TRUE(fs::exists(document.parent_path() / file)) << document << " links to " << file;
    }
  }
  EXPECT_GT(count, 100U);
}

TEST(Comments, NameSourceFilesThatExist) {
  std::set<std::string> known;
  for (const fs::path& file :
       files_below({"include", "src", "apps", "tests", "bench", "python", "examples", "docs"},
                   {".hpp", ".cpp", ".md"}))
    known.insert("/" + fs::relative(file, root).string());
  const auto is_known = [&](const std::string& name) {
    return std::ranges::any_of(known, [&](const std::string& file) { return file.ends_with("/" + name); });
  };
  std::size_t count = 0;
  for (const fs::path& source :
       files_below({"include", "src", "apps", "tests", "bench", "python", "examples"}, {".hpp", ".cpp"})) {
    for (const std::string& comment : all_matches(content(source), R"((//[^\n]*))")) {
      for (const std::string& file : all_matches(comment, R"(((?:\w+/)*\w+\.(?:hpp|cpp))\b)")) {
        ++count;
        if (!is_pattern(file)) {
          EXPECT_TRUE(is_known(file)) << source << " names " << file;
        }
      }
    }
  }
  EXPECT_GT(count, 50U);
}

}  // namespace

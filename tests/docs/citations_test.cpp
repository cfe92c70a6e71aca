#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "docs/content.hpp"

namespace {

namespace fs = std::filesystem;

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  return found;
}

TEST(Citations, EveryKeyInCodeAndDocumentsIsInTheBibliography) {
  const fs::path root = DALEMBERT_SOURCE_DIR;
  const auto known = matches(content(root / "docs/refs.bib"), std::regex(R"(@\w+\{(\w+),)"));
  ASSERT_TRUE(known.contains("benhammouda2022"));
  const std::regex citation(R"(\[([a-z]{3,}[0-9]{4})\])");
  for (const char* folder : {"include", "src", "apps", "tests", "docs", "models"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      if (entry.path().string().find("/fuzz/corpus/") != std::string::npos) continue;
      for (const std::string& key : matches(content(entry.path()), citation)) {
        EXPECT_TRUE(known.contains(key)) << "[" << key << "] in " << entry.path();
      }
    }
  }
}

}  // namespace

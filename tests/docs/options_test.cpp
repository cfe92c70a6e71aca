// The table of docs/options.md is made from the schema of options and the registry of methods.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/text.hpp>
#include <dalembert/solve/solve.hpp>

#include "docs/content.hpp"

namespace dalembert {
namespace {

const std::string begin = "<!-- options: tools/make_option_table -->\n";
const std::string end = "<!-- end of options -->";

std::string in_code(const std::vector<std::string>& names) { return '`' + join(names, "`, `") + '`'; }

std::string table() {
  std::string text =
      "| option | key of `[solve]` | value | default | methods | meaning |\n|---|---|---|---|---|---|\n";
  for (const Option& option : options()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", spell(option, Spelling::flag),
                        option.in_model ? fmt::format("`{}`", option.key) : "–", describe_values(option),
                        option.otherwise.empty() ? "–" : option.otherwise,
                        is_common(option) ? "all" : in_code(methods_with(option)), option.help);
  }
  return text;
}

TEST(OptionsPage, HasTheTableOfTheSchema) {
  const std::string page = content("docs/options.md");
  const auto first = page.find(begin), last = page.find(end);
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(last, std::string::npos);
  const std::string made = page.substr(0, first) + begin + table() + page.substr(last);
  if (std::getenv("DALEMBERT_RENEW_DOCS") != nullptr)
    std::ofstream(std::filesystem::path(DALEMBERT_SOURCE_DIR) / "docs/options.md") << made;
  EXPECT_EQ(made, content("docs/options.md")) << "run tools/make_option_table";
}

}  // namespace
}  // namespace dalembert

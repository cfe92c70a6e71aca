#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/model/read.hpp>

#include "model_file.hpp"
#include "overrides.hpp"
#include "toml_guard.hpp"

namespace dalembert {

std::string read_text(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& reason) {
    throw Error(fmt::format("cannot read the model file: {}", reason), {file.string(), 0, 0});
  };
  std::error_code unreadable;
  if (std::filesystem::is_directory(file, unreadable)) fail("it is a directory");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(std::generic_category().message(errno));
  std::string text;
  std::vector<char> block(1 << 16);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > longest_model_file)
      fail(fmt::format("it is larger than {} MB", longest_model_file >> 20U));
  }
  if (stream.bad()) fail(std::generic_category().message(errno));
  return text;
}

Model read_model(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  return read_model_text(read_text(file), file.string(), overrides);
}

Model read_model_text(std::string_view text, const std::string& name, const std::vector<Override>& overrides,
                      const std::vector<std::string>& columns) {
  ModelDraft draft = parse_model_file(std::string(text), name);
  for (const std::string& column : columns)
    draft.columns.emplace_back(column, SourceLocation{"--columns", 0, 0});
  apply_overrides(draft, overrides);
  return make_model(draft);
}

}  // namespace dalembert

#include "campaign/shrink.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "campaign/sketch.hpp"

namespace dalembert::campaign {
namespace {

struct Line {
  std::string text;
  std::string section;  // [name] or [[name]] that it stands in, as written
  std::size_t chunk = 0;

  bool header() const { return text.starts_with("["); }
  std::string key() const { return text.substr(0, std::min(text.find(" = "), text.size())); }
  std::string value() const {
    const std::size_t equals = text.find(" = ");
    return equals == std::string::npos ? "" : text.substr(equals + 3);
  }
};

std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  std::string line, section;
  std::size_t chunk = 0;
  while (std::getline(stream, line)) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("[")) {
      section = line;
      ++chunk;
    }
    lines.push_back({line, section, chunk});
  }
  return lines;
}

std::string text_of(const std::vector<Line>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool empty = lines[i].header() && !lines[i].text.starts_with("[[") &&
                       (i + 1 == lines.size() || lines[i + 1].header());
    if (!empty) text += lines[i].text + "\n";
  }
  return text;
}

std::string without_quotes(const std::string& value) {
  const bool quoted = value.size() > 1 && value.front() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

// A body, joint or force, and every block that mentions its name.
void drop_blocks(const std::vector<Line>& lines, std::vector<std::string>& out) {
  for (const Line& head : lines) {
    if (!head.text.starts_with("[[")) continue;
    std::string name;
    for (const Line& line : lines) {
      if (line.chunk == head.chunk && line.key() == "name") name = line.value();
    }
    std::set<std::size_t> dropped{head.chunk};
    for (const Line& line : lines) {
      if (!name.empty() && line.section.starts_with("[[") && line.text.find(name) != std::string::npos)
        dropped.insert(line.chunk);
    }
    std::vector<Line> rest;
    for (const Line& line : lines) {
      if (dropped.count(line.chunk) == 0) rest.push_back(line);
    }
    out.push_back(text_of(rest));
  }
}

// Without one line; names that it gave are replaced by `values` everywhere else.
std::string without(const std::vector<Line>& lines, std::size_t dropped,
                    const std::vector<std::pair<std::string, std::string>>& values) {
  std::vector<Line> rest;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == dropped) continue;
    Line line = lines[i];
    if (!values.empty() && !line.header()) {
      if (line.section == "[forces]" && line.key() == values.front().first) continue;
      line.text = line.key() + " = " + with_names_replaced(line.value(), values);
    }
    rest.push_back(line);
  }
  return text_of(rest);
}

std::string start_position(const std::string& value) {
  const std::string word = "position = ";
  const std::size_t found = value.find(word);
  if (found == std::string::npos) return value.front() == '{' ? "0" : without_quotes(value);
  const std::size_t begin = found + word.size();
  return without_quotes(value.substr(begin, value.find_first_of(",}", begin) - begin));
}

void drop_lines(const std::vector<Line>& lines, std::vector<std::string>& out) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.header()) continue;
    out.push_back(without(lines, i, {}));
    const std::string name = line.key();
    if (line.section == "[coordinates]") {
      out.push_back(without(lines, i, {{name, "(" + start_position(line.value()) + ")"}, {name + "'", "0"}}));
    } else if (line.section == "[parameters]") {
      out.push_back(without(lines, i, {{name, line.value()}}));
    } else if (line.section == "[definitions]") {
      out.push_back(without(lines, i, {{name, "(" + without_quotes(line.value()) + ")"}}));
    }
  }
}

// Formulas in quotes, and numbers.
void change_values(const std::vector<Line>& lines, std::vector<std::string>& out) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const std::string value = line.value();
    const auto replace = [&](std::size_t begin, std::size_t end) {
      for (const std::string& smaller : smaller_formulas(value.substr(begin, end - begin))) {
        std::vector<Line> changed = lines;
        changed[i].text = line.key() + " = " + value.substr(0, begin) + smaller + value.substr(end);
        out.push_back(text_of(changed));
      }
    };
    if (line.header() || line.key() == "name") continue;
    if (value.find('"') == std::string::npos) {
      replace(0, value.size());
      continue;
    }
    for (std::size_t begin = value.find('"'); begin != std::string::npos; begin = value.find('"', begin)) {
      const std::size_t end = value.find('"', begin + 1);
      if (end == std::string::npos) break;
      replace(begin + 1, end);
      begin = end + 1;
    }
  }
}

}  // namespace

std::vector<std::string> smaller_models(const std::string& text) {
  const std::vector<Line> lines = lines_of(text);
  std::vector<std::string> candidates, result;
  drop_blocks(lines, candidates);
  drop_lines(lines, candidates);
  change_values(lines, candidates);
  for (std::string& candidate : candidates) {
    if (candidate.size() < text.size()) result.push_back(std::move(candidate));
  }
  return result;
}

std::string shrink(std::string text, const std::function<bool(const std::string&)>& fails,
                   std::size_t most_tries) {
  std::set<std::string> tried;
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (std::string& candidate : smaller_models(text)) {
      if (!tried.insert(candidate).second) continue;
      if (tried.size() > most_tries) return text;
      if (!fails(candidate)) continue;
      text = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return text;
}

}  // namespace dalembert::campaign

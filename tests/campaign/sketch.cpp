#include "campaign/sketch.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace dalembert::campaign {

Sketch::Section& Sketch::section(const std::string& name) {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  if (found != sections_.end()) return *found;
  return sections_.emplace_back(Section{name, {}});
}

void Sketch::set(const std::string& section_name, const std::string& key, const std::string& value) {
  section(section_name).entries.push_back({key, value});
}

void Sketch::add(const std::string& section_name, const std::string& key, const std::string& term) {
  for (Entry& entry : section(section_name).entries) {
    if (entry.key != key) continue;
    entry.value += " + " + term;
    return;
  }
  section(section_name).entries.push_back({key, term, true});
}

bool Sketch::has(const std::string& section_name, const std::string& key) const {
  return std::any_of(sections_.begin(), sections_.end(), [&](const Section& s) {
    return s.name == section_name &&
           std::any_of(s.entries.begin(), s.entries.end(), [&](const Entry& e) { return e.key == key; });
  });
}

void Sketch::replace_names(const std::vector<std::pair<std::string, std::string>>& values) {
  for (Section& section : sections_) {
    if (section.name == "coordinates" || section.name == "parameters") continue;
    for (Entry& entry : section.entries) entry.value = with_names_replaced(entry.value, values);
  }
}

void Sketch::divide(const std::string& section_name, const std::string& key, const std::string& divisor) {
  if (!has(section_name, key)) return;
  for (Entry& entry : section(section_name).entries) {
    if (entry.key == key) entry.value = "(" + entry.value + ")/" + divisor;
  }
}

void Sketch::block(const std::string& kind, const std::vector<std::string>& lines) {
  std::string text = "[[" + kind + "]]\n";
  for (const std::string& line : lines) text += line + "\n";
  blocks_.push_back(text);
}

std::string Sketch::text() const {
  std::string text;
  for (const Section& section : sections_) {
    if (!section.name.empty()) text += "[" + section.name + "]\n";
    for (const Entry& entry : section.entries) {
      text += entry.key + " = " + (entry.formula ? "\"" + entry.value + "\"" : entry.value) + "\n";
    }
  }
  for (const std::string& block : blocks_) text += block;
  return text;
}

std::string with_names_replaced(std::string_view formula,
                                const std::vector<std::pair<std::string, std::string>>& values) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  std::string result;
  for (std::size_t i = 0; i < formula.size();) {
    const bool starts = std::isalpha(static_cast<unsigned char>(formula[i])) != 0;
    std::size_t end = i + 1;
    if (starts || in_name(formula[i])) {
      while (end < formula.size() && in_name(formula[end])) ++end;
      if (starts) {
        while (end < formula.size() && formula[end] == '\'') ++end;
      }
    }
    const std::string_view word = formula.substr(i, end - i);
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == word; });
    result += found == values.end() ? std::string(word) : found->second;
    i = end;
  }
  return result;
}

}  // namespace dalembert::campaign

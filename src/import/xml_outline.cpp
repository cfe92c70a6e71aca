#include "xml_outline.hpp"

#include <algorithm>
#include <cctype>

namespace dalembert {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c < 0; }

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The place behind the next `end`, or the end of the text.
std::size_t behind(std::string_view xml, std::string_view end, std::size_t from) {
  const std::size_t at = xml.find(end, from);
  return at == std::string_view::npos ? xml.size() : at + end.size();
}

struct Tag {
  std::size_t end;  // behind its '>'
  bool closed;      // by "/>"
};

// Values in quotes may hold '>'. A quote counts only behind '=', as the start of a value.
Tag read_tag(std::string_view xml, std::size_t at) {
  char before = ' ';
  while (at < xml.size()) {
    const char c = xml[at];
    if ((c == '"' || c == '\'') && before == '=') {
      at = behind(xml, std::string_view(&c, 1), at + 1);
      before = ' ';
      continue;
    }
    if (c == '>') return {at + 1, before == '/'};
    if (!is_blank(c)) before = c;
    ++at;
  }
  return {xml.size(), false};
}

}  // namespace

XmlOutline outline_xml(std::string_view xml, std::size_t most) {
  XmlOutline outline;
  std::size_t depth = 0;
  std::size_t at = std::min(xml.find('<'), xml.size());
  while (at < xml.size() && outline.depth <= most) {
    const std::string_view rest = xml.substr(at);
    if (rest.starts_with("<!--")) {
      at = behind(xml, "-->", at + 4);
    } else if (rest.starts_with("<![CDATA[")) {
      at = behind(xml, "]]>", at + 9);
    } else if (rest.starts_with("</")) {
      if (depth > 0) --depth;
      at = behind(xml, ">", at);
    } else if (rest.size() > 1 && begins_name(rest[1])) {
      const std::size_t name_end = std::min(rest.find_first_of(" \t\r\n/>", 1), rest.size());
      if (depth == 1) {
        ++outline.count;
        outline.children.emplace(rest.substr(1, name_end - 1));
      }
      const Tag tag = read_tag(xml, at + 1);
      outline.depth = std::max(outline.depth, depth + 1);
      if (!tag.closed) ++depth;
      at = tag.end;
    } else {
      at = behind(xml, ">", at);
    }
    at = std::min(xml.find('<', at), xml.size());
  }
  return outline;
}

}  // namespace dalembert

// A look at an XML text before a recursive parser reads it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace dalembert {

struct XmlOutline {
  std::size_t depth = 0;           ///< of nested elements
  std::size_t count = 0;           ///< of the elements right below the first one
  std::set<std::string> children;  ///< their names
};

/// Splits the text as TinyXML does: tags, comments, CDATA, declarations. It never finds fewer levels than
/// that parser opens, and stops counting beyond `most` levels.
XmlOutline outline_xml(std::string_view xml, std::size_t most);

}  // namespace dalembert

// Which joints' angles the user's own texts mention, and which bodies the user's own constraints.
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "assembly.hpp"

namespace dalembert {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

void Assembly::note_mentions(std::string_view text) {
  for (const std::string_view part : {".angle", ".yaw", ".pitch", ".roll", ".speed"}) {
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && is_word(text[begin - 1])) --begin;
      mentioned_.emplace(text.substr(begin, at - begin + (part == ".angle" ? 0 : part.size())));
    }
  }
}

void Assembly::note_constrained() {
  for (const auto* list : {&draft_.holonomic, &draft_.nonholonomic}) {
    for (const NamedText& item : *list) {
      const std::string& text = item.value.text;
      for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.', dot + 1)) {
        std::size_t begin = dot;
        while (begin > 0 && is_word(text[begin - 1])) --begin;
        constrained_.insert(text.substr(begin, dot - begin));
      }
    }
  }
}

void Assembly::note_mentions(const Value& value) {
  note_mentions(value.text.text);
  for (const Value& part : value.array) note_mentions(part);
  for (const Entry& entry : value.table) {
    note_mentions(entry.key.text);
    note_mentions(entry.value);
  }
}

void Assembly::note_mentions() {
  for (const auto* list :
       {&draft_.outputs, &draft_.forces, &draft_.definitions, &draft_.holonomic, &draft_.nonholonomic}) {
    for (const NamedText& item : *list) {
      note_mentions(item.name.text);
      note_mentions(item.value.text);
    }
  }
  for (const Text& column : draft_.columns) note_mentions(column.text);
  for (const auto* text : {&draft_.kinetic, &draft_.potential, &draft_.dissipation}) {
    if (*text) note_mentions((*text)->text);
  }
  for (const DraftPoint& point : draft_.points) {
    for (const Text& entry : point.position.entries) note_mentions(entry.text);
  }
  for (const DraftFigure& figure : draft_.figures) {
    for (const Entry& entry : figure.element.entries) note_mentions(entry.value);
  }
  for (const auto* elements : {&draft_.joints, &draft_.force_elements, &draft_.events, &draft_.contacts}) {
    for (const Element& element : *elements) {
      for (const Entry& entry : element.entries) note_mentions(entry.value);
    }
  }
  note_uses();
  note_constrained();
}

// Gears and springs at a joint use its angle without naming it.
void Assembly::note_uses() {
  const auto note = [this](const Value& value) {
    if (value.type == Value::Type::text) mentioned_.insert(value.text.text);
    for (const Value& part : value.array) mentioned_.insert(part.text.text);
  };
  for (const Element& element : draft_.joints) {
    for (const Entry& entry : element.entries) {
      if (entry.key.text == "joints") note(entry.value);
    }
  }
  for (const Element& element : draft_.force_elements) {
    bool spring = false;
    for (const Entry& entry : element.entries) spring = spring || entry.value.text.text == "spring";
    for (const Entry& entry : element.entries) {
      if (spring && entry.key.text == "joint") note(entry.value);
    }
  }
}

}  // namespace dalembert

// A body, a joint or a force element as it was written: keys and values with their places.
//
//   Element{"crank", {{"mass", 1}, {"position", {0.1, 0}}, {"points", {{"tip", {"l/2", 0}}}}}}
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/draft/text.hpp>

namespace dalembert {

struct Entry;

/// The value of a key: an expression or a word, true or false, an array, or a table.
struct Value {
  enum class Type { text, flag, array, table };

  Value();
  Value(const char* text);  // NOLINT(google-explicit-constructor)
  Value(Text text);         // NOLINT(google-explicit-constructor)
  Value(double number);     // NOLINT(google-explicit-constructor)
  Value(int number);        // NOLINT(google-explicit-constructor)
  Value(bool flag);         // NOLINT(google-explicit-constructor)
  Value(std::initializer_list<Value> values);
  static Value table_of(std::vector<Entry> entries);

  Type type = Type::text;
  Text text;
  bool flag = false;
  std::vector<Value> array;
  std::vector<Entry> table;
  SourceLocation where;
};

struct Entry {
  Name key;
  Value value;
};

struct Element {
  Name name;
  std::vector<Entry> entries;
};

// Entry must be complete where a table of entries is made.
inline Value::Value() = default;
inline Value::Value(const char* text) : text(text) {}
inline Value::Value(Text text) : text(std::move(text)) {}
inline Value::Value(double number) : text(number) {}
inline Value::Value(int number) : text(number) {}
inline Value::Value(bool flag) : type(Type::flag), flag(flag) {}
inline Value::Value(std::initializer_list<Value> values) : type(Type::array), array(values) {}

inline Value Value::table_of(std::vector<Entry> entries) {
  Value result;
  result.type = Type::table;
  result.table = std::move(entries);
  return result;
}

}  // namespace dalembert

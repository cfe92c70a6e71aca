// Thrift's compact protocol, as far as Parquet's metadata take it: structures of fields with numbers.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert::thrift {

/// Fields in the order of their numbers.
class Writer {
 public:
  void number32(int field, std::int64_t value) { number(field, value, i32); }
  void number64(int field, std::int64_t value) { number(field, value, i64); }
  void text(int field, std::string_view value);
  /// Its elements follow: begin_element() and end_structure(), add_number() or add_text() of each.
  void list_of_structures(int field, std::size_t count) { list(field, count, structure); }
  void list_of_numbers(int field, std::size_t count) { list(field, count, i32); }
  void list_of_texts(int field, std::size_t count) { list(field, count, binary); }
  void begin_structure(int field);
  void begin_element() { last_fields_.push_back(0); }
  void end_structure();
  void add_number(std::int64_t value);
  void add_text(std::string_view value);
  /// Ends the outermost structure.
  std::string take();

 private:
  static constexpr int i32 = 5, i64 = 6, binary = 8, sequence = 9, structure = 12;
  void begin_field(int field, int type);
  void number(int field, std::int64_t value, int type);
  void list(int field, std::size_t count, int type);
  void put_variable(std::uint64_t value);

  std::string bytes_;
  std::vector<int> last_fields_{0};  // of the structures that are open
};

struct Value {
  std::int64_t number = 0;
  std::string text;
  std::vector<Value> list;
  std::map<int, Value> fields;

  /// Empty where there is no such field.
  const Value& operator[](int field) const;
};

/// A structure at the begin of `bytes`, which then begin behind it. Throws Error for what is none.
Value read(std::string_view& bytes);

}  // namespace dalembert::thrift

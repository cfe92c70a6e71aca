#include "thrift.hpp"

#include <utility>

#include <dalembert/base/error.hpp>

namespace dalembert::thrift {

void Writer::put_variable(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
  bytes_ += static_cast<char>(value);
}

void Writer::begin_field(int field, int type) {
  bytes_ += static_cast<char>((field - last_fields_.back()) * 16 + type);
  last_fields_.back() = field;
}

// 0, −1, 1, −2, ... as 0, 1, 2, 3, ...
void Writer::add_number(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put_variable((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void Writer::add_text(std::string_view value) {
  put_variable(value.size());
  bytes_ += value;
}

void Writer::number(int field, std::int64_t value, int type) {
  begin_field(field, type);
  add_number(value);
}

void Writer::text(int field, std::string_view value) {
  begin_field(field, binary);
  add_text(value);
}

void Writer::list(int field, std::size_t count, int type) {
  constexpr std::size_t longer = 15;
  begin_field(field, sequence);
  bytes_ += static_cast<char>((count < longer ? count : longer) * 16 + static_cast<std::size_t>(type));
  if (count >= longer) put_variable(count);
}

void Writer::begin_structure(int field) {
  begin_field(field, structure);
  begin_element();
}

void Writer::end_structure() {
  bytes_ += '\0';
  last_fields_.pop_back();
}

std::string Writer::take() {
  end_structure();
  return std::move(bytes_);
}

const Value& Value::operator[](int field) const {
  static const Value none;
  const auto found = fields.find(field);
  return found == fields.end() ? none : found->second;
}

namespace {

constexpr int deepest = 16;  // of structures in each other

std::uint8_t take_byte(std::string_view& bytes) {
  if (bytes.empty()) throw Error("Thrift's data end too early");
  const auto byte = static_cast<std::uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  return byte;
}

std::uint64_t take_variable(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = take_byte(bytes);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  throw Error("Thrift's data have a number that is too large");
}

std::string take_text(std::string_view& bytes, std::size_t size) {
  if (size > bytes.size()) throw Error("Thrift's data end too early");
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

Value read_structure(std::string_view& bytes, int depth);

Value read_value(std::string_view& bytes, int type, int depth) {
  Value value;
  switch (type) {
    case 1:
    case 2:
      value.number = type == 1 ? 1 : 0;
      break;
    case 3:
      value.number = take_byte(bytes);
      break;
    case 4:
    case 5:
    case 6: {
      const std::uint64_t bits = take_variable(bytes);
      value.number = static_cast<std::int64_t>((bits >> 1U) ^ (~(bits & 1U) + 1));
      break;
    }
    case 7:
      value.text = take_text(bytes, sizeof(double));
      break;
    case 8:
      value.text = take_text(bytes, take_variable(bytes));
      break;
    case 9:
    case 10: {
      const std::uint8_t head = take_byte(bytes);
      const std::uint64_t count = head >> 4U == 15 ? take_variable(bytes) : head >> 4U;
      if (count > bytes.size()) throw Error("Thrift's data end too early");
      for (std::uint64_t i = 0; i < count; ++i)
        value.list.push_back(read_value(bytes, head & 0xFU, depth + 1));
      break;
    }
    case 12:
      return read_structure(bytes, depth + 1);
    default:
      throw Error("Thrift's data have a type that is not known");
  }
  return value;
}

Value read_structure(std::string_view& bytes, int depth) {
  if (depth > deepest) throw Error("Thrift's data are nested too deeply");
  Value value;
  int field = 0;
  while (const std::uint8_t head = take_byte(bytes)) {
    const int step = head >> 4U;
    field = step > 0 ? field + step : static_cast<int>(read_value(bytes, 4, depth).number);
    value.fields[field] = read_value(bytes, head & 0xFU, depth);
  }
  return value;
}

}  // namespace

Value read(std::string_view& bytes) { return read_structure(bytes, 0); }

}  // namespace dalembert::thrift

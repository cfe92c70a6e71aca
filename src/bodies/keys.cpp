#include "keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

constexpr double unit_error = 1e-9;  // of the length of an axis that counts as a unit vector

std::string_view type_name(Value::Type type) {
  switch (type) {
    case Value::Type::text:
      return "a text or a number";
    case Value::Type::flag:
      return "true or false";
    case Value::Type::array:
      return "an array";
    case Value::Type::table:
      break;
  }
  return "a table";
}

const SourceLocation& place_of(const Value& value) {
  return value.where.line > 0 ? value.where : value.text.where;
}

}  // namespace

void Keys::allow_only(std::span<const std::string_view> keys) const {
  for (const auto& [key, value] : element_.entries) {
    if (std::find(keys.begin(), keys.end(), key.text) != keys.end()) continue;
    std::vector<std::string> known(keys.begin(), keys.end());
    report_.at_name(
        key, fmt::format("unknown key {} of {}{}", in_quotes(key.text), what_, suggestion(key.text, known)));
  }
}

const Value* Keys::find(std::string_view key) const {
  const auto it = std::find_if(element_.entries.begin(), element_.entries.end(),
                               [key](const Entry& entry) { return entry.key.text == key; });
  return it == element_.entries.end() ? nullptr : &it->value;
}

const Value& Keys::get(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) fail(fmt::format("{} needs '{}'", what_, key));
  return *value;
}

SourceLocation Keys::place(std::string_view key) const {
  const Value* value = find(key);
  return value == nullptr ? element_.name.where : place_of(*value);
}

void Keys::fail_at(std::string_view key, const std::string& message) const { fail(get(key), message); }

void Keys::fail(const Value& value, const std::string& message) const {
  if (value.type == Value::Type::text) report_.at_text(value.text, what_, 0, message);
  report_.at(place_of(value), message);
}

Text Keys::text(std::string_view key) const {
  const Value& value = get(key);
  if (value.type != Value::Type::text)
    fail(value, fmt::format("'{}' must be a text or a number, not {}", key, type_name(value.type)));
  return value.text;
}

std::optional<Text> Keys::find_text(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return text(key);
}

bool Keys::flag(std::string_view key) const {
  if (!has(key)) return false;
  const Value& value = get(key);
  if (value.type != Value::Type::flag)
    fail(value, fmt::format("'{}' must be true or false, not {}", key, type_name(value.type)));
  return value.flag;
}

Expr Keys::number(const Value& value, std::string_view label) const {
  if (value.type != Value::Type::text)
    fail(value, fmt::format("'{}' must be a number or an expression, not {}", label, type_name(value.type)));
  return constants_.expression(value.text, fmt::format("{} of {}", label, what_));
}

Expr Keys::number(std::string_view key) const { return number(get(key), key); }

std::optional<Expr> Keys::find_number(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return number(key);
}

Expr Keys::check_positive(Expr e, const Value& value, std::string_view label) const {
  const double number = constants_.value(e);
  if (number > 0) return e;
  fail(value, fmt::format("the {} of {} must be positive, not {}", label, what_, shortest(number)));
}

Expr Keys::positive(std::string_view key) const { return check_positive(number(key), get(key), key); }

Expr Keys::not_negative(std::string_view key) const {
  const Expr e = number(key);
  if (constants_.value(e) == 0) return e;
  return check_positive(e, get(key), key);
}

std::optional<Expr> Keys::find_positive(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return positive(key);
}

Vector Keys::vector(const Value& value, std::string_view label) const {
  const std::size_t size = plane_ ? 2 : 3;
  if (value.type != Value::Type::array || value.array.size() != size) {
    const std::string found = value.type == Value::Type::array ? std::to_string(value.array.size())
                                                               : std::string(type_name(value.type));
    fail(value, fmt::format("'{}' must be an array of {} numbers, not {}", label, size, found));
  }
  Vector result{number(value.array[0], label), number(value.array[1], label), {}};
  result.z = plane_ ? result.x.graph().number(0) : number(value.array[2], label);
  return result;
}

Vector Keys::vector(std::string_view key) const { return vector(get(key), key); }

std::optional<Vector> Keys::find_vector(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return vector(key);
}

Vector Keys::unit(const Vector& v, const Value& value, std::string_view label) const {
  const double length = std::sqrt(constants_.value(dot(v, v)));
  if (std::abs(length - 1) <= unit_error) return v;
  fail(value, fmt::format("the {} of {} must have the length 1, not {}", label, what_, shortest(length)));
}

std::vector<Expr> Keys::numbers(std::string_view key, std::size_t count) const {
  const Value& value = get(key);
  if (value.type != Value::Type::array || value.array.size() != count)
    fail(value, fmt::format("'{}' must be an array of {} numbers", key, count));
  std::vector<Expr> result;
  for (const Value& entry : value.array) result.push_back(number(entry, key));
  return result;
}

std::vector<Text> Keys::texts(std::string_view key, std::size_t count) const {
  const Value& value = get(key);
  std::vector<Text> result;
  if (value.type == Value::Type::array) {
    for (const Value& entry : value.array) {
      if (entry.type == Value::Type::text) result.push_back(entry.text);
    }
  }
  if (result.size() != count || value.array.size() != count)
    fail(value, fmt::format("'{}' must be an array of {} texts", key, count));
  return result;
}

}  // namespace dalembert

// The keys of a body, a joint or a force element, with the checks of their types.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/draft/element.hpp>
#include <dalembert/draft/reporter.hpp>

#include "constants.hpp"
#include "vector.hpp"

namespace dalembert {

class Keys {
 public:
  /// `what` completes "... of <what>", such as "the body 'crank'". All must outlive this.
  Keys(const Element& element, std::string what, const Constants& constants, const Reporter& report,
       bool plane)
      : element_(element), what_(std::move(what)), constants_(constants), report_(report), plane_(plane) {}

  /// Throws for a key that is not in the list.
  void allow_only(std::span<const std::string_view> keys) const;

  const std::string& name() const { return element_.name.text; }
  const std::string& what() const { return what_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  SourceLocation place(std::string_view key) const;

  // Absent keys: an error for the first form, nothing for the second.
  Text text(std::string_view key) const;
  std::optional<Text> find_text(std::string_view key) const;
  bool flag(std::string_view key) const;  ///< false when absent

  Expr number(std::string_view key) const;  ///< of parameters
  std::optional<Expr> find_number(std::string_view key) const;
  Expr positive(std::string_view key) const;
  Expr not_negative(std::string_view key) const;
  std::optional<Expr> find_positive(std::string_view key) const;

  Vector vector(std::string_view key) const;  ///< two components in the plane, three in space
  std::optional<Vector> find_vector(std::string_view key) const;
  Vector vector(const Value& value, std::string_view label) const;
  Vector unit(const Vector& v, const Value& value, std::string_view label) const;
  std::vector<Expr> numbers(std::string_view key, std::size_t count) const;
  std::vector<Text> texts(std::string_view key, std::size_t count) const;

  const Value* find(std::string_view key) const;
  const Value& get(std::string_view key) const;
  Expr number(const Value& value, std::string_view label) const;

  [[noreturn]] void fail(const std::string& message) const { report_.at_name(element_.name, message); }
  [[noreturn]] void fail_at(std::string_view key, const std::string& message) const;
  [[noreturn]] void fail(const Value& value, const std::string& message) const;

  const Constants& constants() const { return constants_; }
  bool plane() const { return plane_; }

 private:
  Expr check_positive(Expr e, const Value& value, std::string_view label) const;

  const Element& element_;
  std::string what_;
  const Constants& constants_;
  const Reporter& report_;
  bool plane_;
};

}  // namespace dalembert

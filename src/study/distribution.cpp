#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/study/distribution.hpp>

#include "lists.hpp"

namespace dalembert::study {
namespace {

struct Form {
  std::string_view name;
  Distribution::Kind kind;
  std::size_t count;
  std::string_view example;
};
constexpr std::array<Form, 4> forms{{
    {"uniform", Distribution::Kind::uniform, 2, "uniform(0.1, 0.5)"},
    {"normal", Distribution::Kind::normal, 2, "normal(0.3, 0.05)"},
    {"lognormal", Distribution::Kind::lognormal, 2, "lognormal(0, 0.2)"},
    {"triangular", Distribution::Kind::triangular, 3, "triangular(0.1, 0.2, 0.5)"},
}};

void check(const Distribution& of, const std::string& context) {
  const auto& [a, b, c] = of.parameters;
  switch (of.kind) {
    case Distribution::Kind::uniform:
      if (!(a <= b)) throw Error(fmt::format("{}: uniform takes the least and the largest number", context));
      break;
    case Distribution::Kind::normal:
    case Distribution::Kind::lognormal:
      if (!(b >= 0)) throw Error(fmt::format("{}: a standard deviation is not negative, as {}", context, b));
      break;
    case Distribution::Kind::triangular:
      if (!(a <= b && b <= c))
        throw Error(
            fmt::format("{}: triangular takes the least, the most likely and the largest number", context));
      break;
  }
}

}  // namespace

// Abramowitz & Stegun 26.2.23 starts Halley's iteration on erfc(−x/√2)/2 = u.
double normal_quantile(double u) {
  const double p = std::min(u, 1 - u);
  const double t = std::sqrt(-2 * std::log(p));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 3; ++i) {
    const double off = std::erfc(-x / std::numbers::sqrt2) / 2 - p;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double newton = off / density;
    x -= newton / (1 + x * newton / 2);
  }
  return u < 0.5 ? x : -x;
}

double Distribution::quantile(double u) const {
  const auto& [a, b, c] = parameters;
  switch (kind) {
    case Kind::uniform:
      return a + (b - a) * u;
    case Kind::normal:
      return a + b * normal_quantile(u);
    case Kind::lognormal:
      return std::exp(a + b * normal_quantile(u));
    case Kind::triangular:
      if (c == a) return a;
      return u * (c - a) < b - a ? a + std::sqrt(u * (c - a) * (b - a))
                                 : c - std::sqrt((1 - u) * (c - a) * (c - b));
  }
  return a;
}

double parse_number(const std::string& text, const std::string& context) {
  try {
    Graph graph;
    const double value = evaluate<double>(parse(graph, text, [&](const std::string& name) -> Expr {
      throw Error(fmt::format("'{}' is no number", name));
    }));
    if (std::isfinite(value)) return value;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: '{}' is not a number: {}", context, text, error.message()));
  }
  throw Error(fmt::format("{}: '{}' is not a finite number", context, text));
}

Distribution parse_distribution(const std::string& text, const std::string& context) {
  std::vector<std::string> examples, names;
  for (const Form& form : forms) {
    examples.emplace_back(form.example);
    names.emplace_back(form.name);
  }
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')') {
    throw Error(
        fmt::format("{}: '{}' is no distribution; write one of {}", context, text, join(examples, ", ")));
  }
  const std::string name = trimmed(text.substr(0, open));
  const auto form = std::ranges::find(forms, name, &Form::name);
  if (form == forms.end())
    throw Error(fmt::format("{}: there is no distribution '{}'{}", context, name, suggestion(name, names)));
  const std::vector<std::string> arguments = split_list(text.substr(open + 1, text.size() - open - 2));
  if (arguments.size() != form->count) {
    throw Error(fmt::format("{}: {} takes {} numbers, not {}, for instance {}", context, name, form->count,
                            arguments.size(), form->example));
  }
  Distribution result{form->kind, {}};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    result.parameters[i] = parse_number(arguments[i], context);
  check(result, context);
  return result;
}

}  // namespace dalembert::study

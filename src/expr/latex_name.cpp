#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

namespace dalembert {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool is_greek(std::string_view word) {
  constexpr std::array<std::string_view, 39> letters{
      "alpha",    "beta",   "gamma",   "delta",    "epsilon", "zeta",  "eta",   "theta",
      "iota",     "kappa",  "lambda",  "mu",       "nu",      "xi",    "pi",    "rho",
      "sigma",    "tau",    "upsilon", "phi",      "chi",     "psi",   "omega", "varepsilon",
      "vartheta", "varrho", "varphi",  "varsigma", "Gamma",   "Delta", "Theta", "Lambda",
      "Xi",       "Pi",     "Sigma",   "Upsilon",  "Phi",     "Psi",   "Omega"};
  return std::find(letters.begin(), letters.end(), word) != letters.end();
}

std::string upright(std::string_view word) {
  std::string escaped;
  for (const char c : word) {
    if (c == '\\') {
      escaped += "\\backslash ";
    } else if (c == '^' || c == '~') {
      escaped += fmt::format("\\{}{{}}", c == '^' ? "hat" : "tilde");
    } else {
      if (std::string_view("_#$%&{}").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return "\\mathrm{" + escaped + '}';
}

// A letter and a Greek letter in italics, other words upright.
std::string word(std::string_view text) {
  if (is_greek(text)) return '\\' + std::string(text);
  const bool is_short = text.size() == 1 && is_letter(text[0]);
  return is_short || all_digits(text) ? std::string(text) : upright(text);
}

std::string subscript(std::string_view text) {
  const bool indexed = text.size() > 1 && is_letter(text[0]) && all_digits(text.substr(1));
  if (indexed) return std::string(text);
  std::string with_commas(text);
  std::replace(with_commas.begin(), with_commas.end(), '_', ',');
  return word(with_commas);
}

std::string braced(const std::string& text) { return text.size() == 1 ? text : '{' + text + '}'; }

// theta1_max: the head is theta, the subscripts are 1 and max.
struct Split {
  std::string head;
  std::string subscripts;
};

Split split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < name.size()) {  // crank.x: the head is x, of the crank
    Split result = split(name.substr(dot + 1));
    result.subscripts =
        upright(name.substr(0, dot)) + (result.subscripts.empty() ? "" : ",") + result.subscripts;
    return result;
  }
  const std::size_t underscore = name.find('_');
  const bool has_tail =
      underscore != std::string_view::npos && underscore > 0 && underscore + 1 < name.size();
  if (underscore != std::string_view::npos && !has_tail) return {upright(name), ""};
  const std::string_view front = name.substr(0, underscore);
  const std::size_t letters = front.find_last_not_of("0123456789") + 1;
  if (letters == 0) return {upright(name), ""};
  Split result{word(front.substr(0, letters)), std::string(front.substr(letters))};
  if (has_tail) {
    if (!result.subscripts.empty()) result.subscripts += ',';
    result.subscripts += subscript(name.substr(underscore + 1));
  }
  return result;
}

// \dot x, \dot\theta, \dot{\mathrm{angle}}
std::string accented(std::string_view accent, const std::string& head) {
  const std::string command = '\\' + std::string(accent);
  if (head.size() == 1) return command + ' ' + head;
  const bool is_command = head[0] == '\\' && head.find('{') == std::string::npos;
  return is_command ? command + head : command + '{' + head + '}';
}

}  // namespace

std::string latex_name(std::string_view name) {
  constexpr std::string_view multiplier = "lambda(";
  if (name.starts_with(multiplier) && name.ends_with(')')) {
    name = name.substr(multiplier.size(), name.size() - multiplier.size() - 1);
    const bool indexed = name.size() > 1 && is_letter(name[0]) && all_digits(name.substr(1));
    return "\\lambda_" + braced(indexed ? latex_name(name) : word(name));
  }
  const std::size_t primes = name.size() - (name.find_last_not_of('\'') + 1);
  const Split parts = split(name.substr(0, name.size() - primes));
  constexpr std::array<std::string_view, 4> accents{"", "dot", "ddot", "dddot"};
  const bool dotted = primes > 0 && primes < accents.size();
  std::string text = dotted ? accented(accents[primes], parts.head) : parts.head;
  if (!parts.subscripts.empty()) text += '_' + braced(parts.subscripts);
  if (primes >= accents.size()) text += fmt::format("^{{({})}}", primes);
  return text;
}

}  // namespace dalembert

// Any text as an expression: what parses prints as text that parses back to the same node, and has
// derivatives.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

namespace {

using namespace dalembert;

void require(bool condition) {
  if (!condition) std::abort();
}

// Text or LaTeX; empty when the expression is too long to be written out, which is an Error.
template <class Print>
std::string printed(const Print& print, Expr e) {
  try {
    return print(e);
  } catch (const Error&) {
    return "";
  }
}

void check_value(Expr e) {
  std::unordered_map<NodeId, double> values;
  for (const Expr& symbol : symbols_in(e)) values[symbol.id()] = 0.75;
  evaluate<double>(e, values);
}

void check(Graph& graph, Expr e) {
  const std::string text = printed([](Expr x) { return to_text(x); }, e);
  if (!text.empty()) require(parse(graph, text) == e);
  printed([](Expr x) { return to_latex(x); }, e);
  check_value(e);
}

// An input may have many; all in full would take longer than an input may.
void check_derivative(Graph& graph, Expr e) {
  constexpr std::size_t longest = 2'000;
  if (text_excerpt(e, longest).size() <= longest) return check(graph, e);
  check_value(e);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Graph graph;
  try {
    const Expr e = parse(graph, {reinterpret_cast<const char*>(data), size});
    check(graph, e);
    for (const Expr& symbol : symbols_in(e)) check_derivative(graph, derivative(e, symbol));
  } catch (const Error& error) {
    require(!error.message().empty());
  }
  return 0;
}

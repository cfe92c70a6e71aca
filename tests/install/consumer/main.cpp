// A program that is not part of the project: it uses what was installed, down to the libraries that come with
// it.
#include <cstdio>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/parse.hpp>

int main() {
  dalembert::Graph graph;
  try {
    dalembert::parse(graph, "x + * y");
    std::puts("a wrong expression was accepted");
    return 1;
  } catch (const dalembert::Error& error) {
    std::puts(error.what());
  }
  const auto slope = dalembert::derivative(dalembert::parse(graph, "x^3/3"), dalembert::parse(graph, "x"));
  return slope == dalembert::parse(graph, "x^2") ? 0 : 1;
}

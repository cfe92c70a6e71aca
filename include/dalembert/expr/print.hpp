// Expression to text.
//
// A shared graph can be exponentially longer when it is written out. Beyond longest_printed characters
// to_text and to_latex throw Error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

// Nobody reads more, and a text may grow exponentially with the nodes it is printed from. Chosen, not
// measured.
inline constexpr std::size_t longest_printed = 1'000'000;

/// Text that parses back to the same node of the same graph, as far as the parser's depth reaches.
std::string to_text(Expr e);

/// The text, cut with "..." when it is longer: for messages.
std::string text_excerpt(Expr e, std::size_t longest = 60);

/// LaTeX that a textbook could show.
std::string to_latex(Expr e);

/// theta1' as \dot\theta_1, x_slider as x_{\mathrm{slider}}, lambda(pin) as \lambda_{\mathrm{pin}}.
std::string latex_name(std::string_view name);

}  // namespace dalembert

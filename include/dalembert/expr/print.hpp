// Expression to text.
#pragma once

#include <string>
#include <string_view>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// Text that parses back to the same node of the same graph.
std::string to_text(Expr e);

/// LaTeX that a textbook could show.
std::string to_latex(Expr e);

/// theta1' as \dot\theta_1, x_slider as x_{\mathrm{slider}}, lambda(pin) as \lambda_{\mathrm{pin}}.
std::string latex_name(std::string_view name);

}  // namespace dalembert

// The page of `dalembert equations` as LaTeX: a fragment of align* environments, for amsmath and for KaTeX.
#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/layout.hpp>

namespace dalembert::session {
namespace {

constexpr std::size_t line_width = 78;    // glyphs on a line of a page
constexpr std::size_t matrix_width = 64;  // of a matrix that is shown as one
constexpr std::size_t most_columns = 10;  // of a pmatrix in amsmath
constexpr std::size_t most_lines = 16;    // of one align*, which cannot be broken between pages

// Roughly how many glyphs stand side by side: a command is one, braces and accents are none.
std::size_t glyphs_of(std::string_view latex) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    const char c = latex[i];
    if (c == '\\') {
      std::size_t end = i + 1;
      while (end < latex.size() && std::isalpha(static_cast<unsigned char>(latex[end])) != 0) ++end;
      const std::string_view command = latex.substr(i + 1, end - i - 1);
      const bool silent = command == "frac" || command == "left" || command == "right" || command == "dot" ||
                          command == "ddot" || command == "mathrm" || command.empty();
      const bool word = command == "sin" || command == "cos" || command == "tan" || command == "sqrt";
      count += silent ? 0 : word ? 3 : 1;
      i = std::max(end, i + 2) - 1;
    } else if (c == '+' || c == '-' || c == '=') {
      count += 2;
    } else if (c != '{' && c != '}' && c != '^' && c != '_' && c != ' ' && c != '&') {
      ++count;
    }
  }
  return count;
}

std::string latex_of(Expr e) {
  try {
    return dalembert::to_latex(e);
  } catch (const Error&) {
    return "\\ldots";
  }
}

// A coordinate's name as index is its symbol, a constraint's the index of its multiplier.
std::string index_name(const Axis& axis, std::size_t i) {
  if (axis.coordinates) return latex_name(axis.names[i]);
  const std::string lambda = latex_name("lambda(" + axis.names[i] + ")");
  const std::size_t underscore = lambda.find('_');
  return underscore == std::string::npos ? latex_name(axis.names[i]) : lambda.substr(underscore + 1);
}

std::string braced(const std::string& text) {
  return text.starts_with('{') && text.ends_with('}') ? text : "{" + text + "}";
}

// "label &= a + b" and, where the line is full, "&\quad + c".
std::vector<std::string> equation_lines(const std::string& label, const std::string& value) {
  std::vector<std::string> lines;
  std::string line = label + " &= ";
  bool fresh = true;
  for (const std::string& term : split_terms(value)) {
    if (!fresh && glyphs_of(line) + glyphs_of(term) > line_width) {
      lines.push_back(line);
      line = "&\\quad ";
    } else if (!fresh) {
      line += " ";
    }
    line += term;
    fresh = false;
  }
  lines.push_back(line);
  return lines;
}

std::string align(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t first = 0; first < lines.size(); first += most_lines) {
    out += "\\begin{align*}\n";
    const std::size_t last = std::min(first + most_lines, lines.size());
    for (std::size_t i = first; i < last; ++i) out += lines[i] + (i + 1 < last ? " \\\\\n" : "\n");
    out += "\\end{align*}\n";
  }
  return out;
}

using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const Block& block) {
  Cells cells(block.rows.names.size(),
              std::vector<std::string>(std::max<std::size_t>(block.columns.names.size(), 1), "0"));
  for (const auto& entry : block.entries) {
    const std::string text = latex_of(entry.value);
    if (block.symmetric && entry.row > entry.column) continue;
    cells[entry.row][entry.column] = text;
    if (block.symmetric) cells[entry.column][entry.row] = text;
  }
  return cells;
}

bool fits(const Cells& cells) {
  std::vector<std::size_t> widths(cells.empty() ? 0 : cells.front().size(), 0);
  for (const auto& row : cells) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], glyphs_of(row[j]));
  }
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width + 2;
  return total <= matrix_width && cells.size() <= most_lines && widths.size() <= most_columns;
}

std::string pmatrix(const Cells& cells) {
  std::string out = "\\begin{pmatrix}\n";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += "  ";
    for (std::size_t j = 0; j < cells[i].size(); ++j) out += (j > 0 ? " & " : "") + cells[i][j];
    out += i + 1 < cells.size() ? " \\\\\n" : "\n";
  }
  return out + "\\end{pmatrix}";
}

std::string entry_label(const Block& block, const ExprMatrix::Entry& entry) {
  // a symbol with an index of its own, f_q, is set apart: (f_q)_{x}
  const std::string symbol =
      block.latex.find('_') == std::string::npos ? block.latex : "(" + block.latex + ")";
  const std::string row = index_name(block.rows, entry.row);
  if (block.columns.names.empty()) return symbol + "_" + braced(row);
  return fmt::format("{}_{{{},\\,{}}}", symbol, row, index_name(block.columns, entry.column));
}

std::vector<std::string> entry_lines(const Block& block) {
  std::vector<std::string> lines;
  for (const auto& entry : block.entries) {
    if (block.symmetric && entry.row > entry.column) continue;
    for (std::string& line : equation_lines(entry_label(block, entry), latex_of(entry.value))) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::string block_latex(const Block& block) {
  if (block.entries.empty()) return align({block.latex + " &= 0"});
  if (block.rows.names.empty())
    return align(equation_lines(block.latex, latex_of(block.entries.front().value)));
  if (block.rows.names.size() == 1 && block.columns.names.size() <= 1) {
    return align(equation_lines(block.latex, latex_of(block.entries.front().value)));
  }
  const Cells cells = cells_of(block);
  if (!fits(cells)) return align(entry_lines(block));
  return align({block.latex + " &= " + pmatrix(cells)});
}

// (x, y, ...)ᵀ over as many lines as needed.
std::vector<std::string> list_lines(const std::string& symbol, const std::vector<std::string>& names) {
  std::vector<std::string> lines;
  std::string line = symbol + " &= (";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (glyphs_of(line) + glyphs_of(names[i]) > line_width) {
      lines.push_back(line);
      line = "&\\quad ";
    }
    line += names[i] + (i + 1 < names.size() ? ",\\, " : ")^{\\mathsf T}");
  }
  lines.push_back(line);
  return lines;
}

std::string unknowns(const ModelData& model) {
  std::vector<std::string> q;
  std::vector<std::string> lambda;
  for (const Coordinate& coordinate : model.coordinates) q.push_back(latex_name(coordinate.name));
  for (const auto* constraints : {&model.holonomic, &model.nonholonomic}) {
    for (const Constraint& constraint : *constraints) {
      lambda.push_back(latex_name("lambda(" + constraint.name + ")"));
    }
  }
  std::vector<std::string> lines = list_lines("q", q);
  if (!lambda.empty() && model.kind != ModelKind::kinematic) {
    for (std::string& line : list_lines("\\lambda", lambda)) lines.push_back(std::move(line));
  }
  return align(lines);
}

// Of equations that are too large to be read.
std::string unknown_counts(const ModelData& model) {
  return align({fmt::format(R"(&q \in \mathbb R^{{{}}}, \qquad \lambda \in \mathbb R^{{{}}})",
                            model.coordinates.size(), model.holonomic.size() + model.nonholonomic.size())});
}

}  // namespace

PageEquations to_page_equations(const EquationsPage& page) {
  PageEquations equations;
  equations.laws = align({"&" + join(page.latex_laws, ", \\qquad ")});
  const bool large = std::any_of(page.blocks.begin(), page.blocks.end(),
                                 [](const Block& block) { return block.left_out > 0; });
  equations.unknowns = large ? unknown_counts(*page.model) : unknowns(*page.model);
  for (const Block& block : page.blocks) {
    const std::string meaning = block.meaning + (block.symmetric ? ", symmetric" : "");
    if (block.left_out > 0) {
      equations.blocks.push_back(
          {block.symbol,
           fmt::format("{}: too large to be read here ({} entries); `dalembert equations MODEL` prints it",
                       meaning, block.left_out),
           ""});
      continue;
    }
    equations.blocks.push_back({block.symbol, meaning, block_latex(block)});
  }
  return equations;
}

std::string to_latex(const EquationsPage& page) {
  const PageEquations equations = to_page_equations(page);
  std::string out = fmt::format("% {}\n", page.model->title.empty() ? "Equations" : page.model->title);
  out += equations.laws + equations.unknowns;
  for (const PageEquations::Block& block : equations.blocks)
    out += fmt::format("% {}: {}\n{}", block.symbol, block.meaning, block.latex);
  return out;
}

}  // namespace dalembert::session

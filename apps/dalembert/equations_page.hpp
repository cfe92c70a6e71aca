// What `dalembert equations` shows: the equations of a model in named blocks.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <dalembert/derive/equations.hpp>
#include <dalembert/derive/kinematics.hpp>
#include <dalembert/output/page.hpp>

namespace dalembert::app {

/// The names of rows or columns.
struct Axis {
  std::vector<std::string> names;
  bool coordinates = false;  ///< or constraints
};

/// A scalar (no rows), a column (rows) or a matrix (rows and columns), by the names of its rows and columns.
struct Block {
  std::string symbol;  ///< M
  std::string latex;   ///< M in LaTeX
  std::string meaning;
  Axis rows;
  Axis columns;
  bool symmetric = false;
  std::vector<ExprMatrix::Entry> entries;  ///< non-zero ones
  std::size_t left_out = 0;                ///< how many entries were taken out because nobody could read them
};

struct EquationsPage {
  Model model;
  std::vector<std::string> laws;  ///< the equations that the blocks belong to
  std::vector<std::string> latex_laws;
  std::vector<Block> blocks;
};

enum class EquationsExtent { all, readable };

/// With `numbers` parameters are replaced by their values. `readable` takes blocks out that would fill
/// hundreds of pages.
EquationsPage make_page(const Equations& equations, bool numbers,
                        EquationsExtent extent = EquationsExtent::all);
EquationsPage make_page(const KinematicEquations& equations, bool numbers);

/// Empties the blocks that are too large to be read.
void leave_out_large(EquationsPage& page);

std::string to_text(const EquationsPage& page);
std::string to_latex(const EquationsPage& page);
nlohmann::ordered_json to_json(const EquationsPage& page);
/// For the report page.
PageEquations to_page_equations(const EquationsPage& page);

}  // namespace dalembert::app

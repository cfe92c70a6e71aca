// The equations of a model for reading, in named blocks.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <dalembert/output/page.hpp>
#include <dalembert/session/loaded_model.hpp>

namespace dalembert::session {

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
  std::shared_ptr<Graph> graph;  ///< of the blocks' entries: not the model's, which stays as it is
};

struct EquationsOptions {
  bool numbers = false;   ///< parameters are replaced by their values
  bool readable = false;  ///< without blocks that would fill hundreds of pages
};

EquationsPage equations(const LoadedModel& model, const EquationsOptions& options = {});

std::string to_text(const EquationsPage& page);
std::string to_latex(const EquationsPage& page);
/// Each entry as text and as LaTeX.
std::string to_json(const EquationsPage& page);

/// For the report page.
PageEquations to_page_equations(const EquationsPage& page);
/// The same, readable, made by another thread while the model runs: that takes as long as a short run.
std::future<PageEquations> start_page_equations(const LoadedModel& model);

}  // namespace dalembert::session

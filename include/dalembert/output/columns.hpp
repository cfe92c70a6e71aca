// The columns of a result: their names, in one order for every file format.
//
//   t | q: x | v: x' | a: x'' | λ: lambda(name) | −Cᵀλ: force(x) | outputs by name
//     | kinetic potential energy work | residuals: g(name) of holonomic constraints, gv(name) = (C v + c) of
//     all
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/model/model.hpp>

namespace dalembert {

enum class ColumnGroup { time, q, v, a, lambda, force, output, energy, g, gv, view };

struct Column {
  std::string name;
  ColumnGroup group;
  std::size_t index;       ///< within its group
  std::string unit = {};   ///< of the numbers; empty where none is known
  std::string shown = {};  ///< the unit in pictures and pages
  double scale = 1;        ///< number in pictures and pages = scale * number
};

/// Whether any of them has one.
bool has_units(std::span<const Column> columns);

/// "theta1 [deg]"
std::string name_with_unit(const Column& column);

/// "time", "q", ...: as files and pages call the group.
std::string_view group_name(ColumnGroup group);

/// All columns of a model's runs, without those of its view.
std::vector<Column> all_columns(const ModelData& model);

/// Position and rotation of a solid, each with the column that holds it: a coordinate, or view(NAME).x,
/// view(NAME).angle, view(NAME).e0, ...
std::vector<NamedExpr> solid_places(const ModelData& model, const Solid& solid);

/// The places and values of a figure, in their order, each with the column that holds it; without a name
/// where it does not move.
std::vector<NamedExpr> figure_numbers(const ModelData& model, const Figure& figure);

/// The places of the view's points, view(A).x, view(A).y, ..., and of its solids and figures where they are
/// no columns anyway; the gaps of contacts, gap(floor).
std::vector<NamedExpr> view_expressions(const ModelData& model);
std::vector<Column> view_columns(const ModelData& model);

/// The columns that `patterns` ask for, in the order of all_columns, time always first. A pattern is a name,
/// a group (q, v, a, lambda, force, outputs, energies, g, gv, residuals, all) or a name with the wildcards *
/// and ?. Throws Error for a pattern that fits nothing.
std::vector<Column> choose_columns(const ModelData& model, std::span<const std::string> patterns);

/// Whether a pattern fits any column, or names a group.
bool has_column(const ModelData& model, const std::string& pattern);

/// LaTeX for a column's name.
std::string column_latex(const Column& column);

}  // namespace dalembert

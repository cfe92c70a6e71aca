// The blocks of a page of equations, as they were derived.
#include "equations_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/base/text.hpp>

namespace dalembert::session {
namespace {

Axis coordinate_names(const ModelData& model) {
  Axis axis{{}, true};
  for (const Coordinate& coordinate : model.coordinates) axis.names.push_back(coordinate.name);
  return axis;
}

Axis constraint_names(const std::vector<Constraint>& constraints) {
  Axis axis;
  for (const Constraint& constraint : constraints) axis.names.push_back(constraint.name);
  return axis;
}

// N of pin.x, pin.y
Axis size_names(const Equations& e) {
  Axis axis;
  for (const std::vector<std::uint32_t>& rows : e.sizes) {
    std::vector<std::string> names;
    for (const std::uint32_t row : rows) {
      const std::size_t first = e.model->holonomic.size();
      names.push_back(row < first ? e.model->holonomic[row].name : e.model->nonholonomic[row - first].name);
    }
    axis.names.push_back("N of " + join(names, ", "));
  }
  return axis;
}

std::vector<ExprMatrix::Entry> column_entries(const std::vector<Expr>& column) {
  std::vector<ExprMatrix::Entry> entries;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!column[i].is_zero()) entries.push_back({static_cast<std::uint32_t>(i), 0, column[i]});
  }
  return entries;
}

Block scalar(const std::string& symbol, std::string meaning, Expr value) {
  return {symbol, symbol, std::move(meaning), {}, {}, false, column_entries({value})};
}

Block column(const std::string& symbol, std::string meaning, Axis rows, const std::vector<Expr>& values) {
  return {symbol, symbol, std::move(meaning), std::move(rows), {}, false, column_entries(values)};
}

Block matrix(const std::string& symbol, std::string meaning, Axis rows, Axis columns,
             const ExprMatrix& values) {
  return {symbol, symbol, std::move(meaning), std::move(rows), std::move(columns), false, values.entries};
}

void keep_if_not_zero(std::vector<Block>& blocks, Block block) {
  if (!block.entries.empty()) blocks.push_back(std::move(block));
}

void add_energies(const Equations& e, std::vector<Block>& blocks) {
  if (e.model->kind != ModelKind::energy) return;
  blocks.push_back(scalar("K", "kinetic energy", e.K));
  keep_if_not_zero(blocks, scalar("V", "potential energy", e.V));
  keep_if_not_zero(blocks, scalar("R", "Rayleigh's dissipation function", e.R));
}

void add_constraints(const Equations& e, std::vector<Block>& blocks) {
  const Axis q = coordinate_names(*e.model);
  Axis all = constraint_names(e.model->holonomic);
  if (!e.g.empty()) blocks.push_back(column("g", "holonomic constraints", all, e.g));
  if (!e.model->nonholonomic.empty()) {
    const Axis rolling = constraint_names(e.model->nonholonomic);
    std::vector<Expr> residuals;
    for (const Constraint& constraint : e.model->nonholonomic) residuals.push_back(constraint.residual);
    blocks.push_back(column("h", "nonholonomic constraints", rolling, residuals));
    all.names.insert(all.names.end(), rolling.names.begin(), rolling.names.end());
  }
  blocks.push_back(matrix("C", "constraint matrix", all, q, e.C));
  if (!e.is_symmetric)
    blocks.push_back(matrix("D", "forces of the multipliers: C - (dQ/dlambda)^T", all, q, e.D));
  if (!e.B.entries.empty())
    blocks.push_back(matrix("B", "forces of sizes of multipliers: -(dQ/dN)^T", size_names(e), q, e.B));
  keep_if_not_zero(blocks, column("c", "velocities that constraints demand", all, e.c));
  Block gamma = column("gamma", "accelerations that constraints demand", all, e.gamma);
  gamma.latex = R"(\gamma)";
  blocks.push_back(std::move(gamma));
}

void add_laws(const Equations& e, EquationsPage& page) {
  if (e.m() == 0) {
    page.laws = {"M a = f"};
    page.latex_laws = {R"(M \ddot q = f)"};
    return;
  }
  page.laws = {"M a = f - C^T lambda"};
  page.latex_laws = {R"(M \ddot q = f - C^{\mathsf T} \lambda)"};
  if (!e.is_symmetric) {
    page.laws = {"M a = f - D^T lambda"};
    page.latex_laws = {R"(M \ddot q = f - D^{\mathsf T} \lambda)"};
  }
  if (!e.B.entries.empty()) {
    page.laws = {"M a = f - D^T lambda - B^T N", "N = |lambda| of each"};
    page.latex_laws = {R"(M \ddot q = f - D^{\mathsf T} \lambda - B^{\mathsf T} N)", R"(N_p = |\lambda_p|)"};
  }
  if (!e.g.empty()) {
    page.laws.emplace_back("g = 0");
    page.latex_laws.emplace_back("g = 0");
  }
  if (!e.model->nonholonomic.empty()) {
    page.laws.emplace_back("h = 0");
    page.latex_laws.emplace_back("h = 0");
  }
  const bool moving = std::any_of(e.c.begin(), e.c.end(), [](const Expr& c) { return !c.is_zero(); });
  page.laws.emplace_back(moving ? "C v + c = 0" : "C v = 0");
  page.latex_laws.emplace_back(moving ? R"(C \dot q + c = 0)" : R"(C \dot q = 0)");
  page.laws.emplace_back("C a = gamma");
  page.latex_laws.emplace_back(R"(C \ddot q = \gamma)");
}

}  // namespace

EquationsPage lay_out(const Equations& e) {
  EquationsPage page{e.model, {}, {}, {}, {}};
  add_laws(e, page);
  const Axis q = coordinate_names(*e.model);
  add_energies(e, page.blocks);
  Block mass = matrix("M", "mass matrix", q, q, e.M);
  mass.symmetric = true;
  page.blocks.push_back(std::move(mass));
  page.blocks.push_back(column("f", "forces", q, e.f));
  if (e.m() > 0) add_constraints(e, page.blocks);
  return page;
}

EquationsPage lay_out(const KinematicEquations& e) {
  EquationsPage page{e.model, {}, {}, {}, {}};
  page.laws = {"q' = c [f_q C] + f_q^+ (K f - f_t)"};
  page.latex_laws = {R"(\dot q = c\,[f_q\, C] + f_q^{+} \left(K f - f_t\right))"};
  const Axis q = coordinate_names(*e.model);
  const Axis f = constraint_names(e.model->holonomic);
  page.blocks.push_back(column("f", "constraints", f, e.f));
  page.blocks.push_back(matrix("f_q", "their derivatives by q", f, q, e.f_q));
  keep_if_not_zero(page.blocks, column("f_t", "their derivatives by t", f, e.f_t));
  page.blocks.push_back(scalar("c", "speed in the free direction", e.c));
  Axis free;
  for (std::size_t i = 0; i < e.C.rows; ++i) free.names.push_back(std::to_string(i + 1));
  keep_if_not_zero(page.blocks, matrix("C", "rows that choose the direction", free, q, e.C));
  page.blocks.push_back(matrix("K", "how errors of the constraints decay", f, f, e.K));
  return page;
}

}  // namespace dalembert::session

// Studies: blocks of rows as arrays. Who computes which block is Python's to say.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/study/row_summary.hpp>
#include <dalembert/study/study.hpp>
#include <dalembert/study/study_page.hpp>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

// Name, unit, kind of each.
nb::list list_of(const std::vector<study::StudyColumn>& columns) {
  nb::list list;
  for (const study::StudyColumn& one : columns)
    list.append(nb::make_tuple(one.name, one.unit, study::kind_word(one.kind)));
  return list;
}

// What one thread sets and those that compute look at.
class Stop {
 public:
  void set() { is_set_ = true; }
  bool is_set() const { return is_set_; }

 private:
  std::atomic<bool> is_set_ = false;
};

// Rows that nobody ran: what varies, and that they were interrupted.
study::RowBlock interrupted_block(const study::Study& self, std::uint64_t number) {
  study::RowBlock block;
  block.first = number * study::Study::block_rows;
  block.count = std::min<std::size_t>(study::Study::block_rows, self.plan().rows() - block.first);
  const auto [columns, motion] = self.row_width();
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  block.values.assign(block.count * columns, none);
  block.motions.assign(block.count * motion, none);
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const std::span<double> row = std::span(block.values).subspan(i * columns, columns);
    self.plan().eval(block.first + i, row.first(self.plan().names().size()));
    row[self.outcome_column()] = static_cast<double>(Outcome::interrupted);
    block.reasons.emplace_back(i, "interrupted");
  }
  return block;
}

// The numbers, [row][column], motions, [row][function][time], and the reasons of rows that did not finish.
// With `stop` set, and without `computes`, rows that were interrupted.
nb::tuple run_block(const study::Study& self, std::uint64_t number, const Stop* stop, bool computes) {
  if (number >= self.blocks()) throw nb::index_error("there is no such block");
  std::optional<study::RowBlock> made;
  {
    const nb::gil_scoped_release others_run;
    if (computes) made = self.run(number, [&] { return stop == nullptr || !stop->is_set(); });
    if (!made) made = interrupted_block(self, number);
  }
  study::RowBlock& block = *made;
  nb::list reasons;
  for (const auto& [row, text] : block.reasons) reasons.append(nb::make_tuple(block.first + row, text));
  return nb::make_tuple(
      make_array(std::move(block.values), {block.count, self.columns().size()}),
      make_array(std::move(block.motions), {block.count, self.motions().size(), self.times().size()}),
      reasons);
}

using RowReasons = std::vector<std::pair<std::uint64_t, std::string>>;

// Rows of an array, [row][column]; reasons by rising row.
study::EachRow rows_of(const study::Study& self, const Numbers& numbers, const RowReasons& reasons) {
  const std::size_t width = self.columns().size();
  if (numbers.size() != self.plan().rows() * width)
    throw Error(fmt::format("the study has {} rows of {} numbers, not {} numbers", self.plan().rows(), width,
                            numbers.size()));
  return [&, width](const study::TakeRow& take) {
    auto reason = reasons.begin();
    for (std::uint64_t row = 0; row < self.plan().rows(); ++row) {
      const bool has_reason = reason != reasons.end() && reason->first == row;
      take(row, span_of(numbers).subspan(row * width, width),
           has_reason ? (reason++)->second : std::string());
    }
  };
}

// Whether these are what varies in all rows, in their order.
bool has_rows(const study::Study& self, const Numbers& varied) {
  const std::size_t width = self.plan().names().size();
  if (varied.size() != self.plan().rows() * width) return false;
  std::vector<double> values(width);
  for (std::uint64_t row = 0; row < self.plan().rows(); ++row) {
    self.plan().eval(row, values);
    if (!std::ranges::equal(values, span_of(varied).subspan(row * width, width))) return false;
  }
  return true;
}

void write_page(const study::Study& self, const std::string& file, const Numbers& numbers,
                const RowReasons& reasons) {
  const study::EachRow rows = rows_of(self, numbers, reasons);
  const nb::gil_scoped_release others_run;
  check_page_name(file);
  study::write_study_page(file, self, rows, {"study.run(", ")"});
}

// By what is collected and by what varies; empty: nobody asked for them.
nb::dict indices_of(const study::Study& self, const Numbers& numbers) {
  study::RowSummary summary(self);
  rows_of(self, numbers, {})([&](std::uint64_t row, std::span<const double> values,
                                 const std::string& reason) { summary.add(row, values, reason); });
  study::SweepReport report;
  summary.put(report);
  nb::dict all;
  for (const study::ColumnSummary& column : report.columns) {
    if (column.indices.empty()) continue;
    nb::dict by_name;
    for (std::size_t i = 0; i < column.indices.size(); ++i) {
      const study::SobolIndex& one = column.indices[i];
      by_name[report.varied[i].c_str()] =
          nb::make_tuple(one.first, one.first_error, one.total, one.total_error);
    }
    all[column.name.c_str()] = by_name;
  }
  return all;
}

}  // namespace

void bind_study(nb::module_& module) {
  module.attr("BLOCK_ROWS") = study::Study::block_rows;
  nb::class_<Stop>(module, "Stop").def(nb::init<>()).def("set", &Stop::set);
  nb::class_<study::Study>(module, "Study")
      .def_prop_ro("rows", [](const study::Study& self) { return self.plan().rows(); })
      .def_prop_ro("blocks", &study::Study::blocks)
      .def_prop_ro("columns", [](const study::Study& self) { return list_of(self.columns()); })
      .def_prop_ro("motions", [](const study::Study& self) { return list_of(self.motions()); })
      .def_prop_ro("times", [](const study::Study& self) { return self.times(); })
      .def_prop_ro("text", [](const study::Study& self) { return study::to_json(self.description()); })
      .def("run", run_block, nb::arg("number"), nb::arg("stop").none() = nb::none(),
           nb::arg("computes") = true)
      .def("settings",
           [](const study::Study& self, std::uint64_t row) { return study::settings_of(self.plan(), row); })
      .def("has_rows", has_rows)
      .def("write_page", write_page)
      .def("indices", indices_of);
  module.def(
      "study", [](const std::string& description) { return new study::Study(study::from_json(description)); },
      nb::rv_policy::take_ownership);
}

}  // namespace dalembert::python

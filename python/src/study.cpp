// Studies: blocks of rows as arrays. Who computes which block is Python's to say.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <dalembert/study/study.hpp>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

// Name, unit, kind of each.
nb::list columns_of(const study::Study& self) {
  using Kind = study::StudyColumn::Kind;
  nb::list list;
  for (const study::StudyColumn& one : self.columns()) {
    const char* kind = one.kind == Kind::varied      ? "varied"
                       : one.kind == Kind::collected ? "collected"
                                                     : "run";
    list.append(nb::make_tuple(one.name, one.unit, kind));
  }
  return list;
}

// The numbers, [row][column], and the reasons of rows that did not finish.
nb::tuple run_block(const study::Study& self, std::uint64_t number) {
  study::RowBlock block;
  {
    const nb::gil_scoped_release others_run;
    block = self.run(number, [] { return true; }).value();
  }
  nb::list reasons;
  for (const auto& [row, text] : block.reasons) reasons.append(nb::make_tuple(block.first + row, text));
  return nb::make_tuple(make_array(std::move(block.values), {block.count, self.columns().size()}), reasons);
}

}  // namespace

void bind_study(nb::module_& module) {
  nb::class_<study::Study>(module, "Study")
      .def_prop_ro("rows", [](const study::Study& self) { return self.plan().rows(); })
      .def_prop_ro("blocks", &study::Study::blocks)
      .def_prop_ro("columns", columns_of)
      .def_prop_ro("text", [](const study::Study& self) { return study::to_json(self.description()); })
      .def("run", run_block);
  module.def(
      "study", [](const std::string& description) { return new study::Study(study::from_json(description)); },
      nb::rv_policy::take_ownership);
}

}  // namespace dalembert::python

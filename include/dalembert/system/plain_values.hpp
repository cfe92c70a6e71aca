// Values of a program at a point: in doubles the flat tape, in other numbers a series of order zero.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <dalembert/system/lane_constants.hpp>
#include <dalembert/system/lanes_recursion.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S>
class SeriesOfOrderZero {
 public:
  /// `parameters` as for constants_in_lanes().
  SeriesOfOrderZero(const System& system, const Program& program,
                    std::span<const ParameterValues> parameters = {})
      : series_(system.value_plan(program), constants_in_lanes<S>(system, program, parameters), 0) {}

  /// Other values of the parameters.
  void set_parameters(const System& system, std::span<const ParameterValues> parameters) {
    series_.set_constants(constants_in_lanes<S>(system, series_.program(), parameters));
  }

  void set(std::size_t input, const S& value) { series_.set(series_.program().inputs[input], 0, value); }
  void set(std::size_t first, std::span<const S> values) {
    for (std::size_t i = 0; i < values.size(); ++i) set(first + i, values[i]);
  }
  /// In lanes: run() by compiled code of this program; null: by the interpreter.
  void use_code(LanesCode::Values values) { code_ = values; }
  void run() {
    if constexpr (LaneMath<S>::lanes > 1) {
      if (code_ != nullptr) return run_values(code_, series_);
    }
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) run(stage);
  }
  void run(Stage stage) { series_.run(stage, 0); }
  void hold_sign(Register r, const S& value) { series_.hold_side(r, value); }
  void release_sign(Register r) { series_.release_side(r); }
  S value(const Scaled& output) const { return series_.output(output, 0); }

 private:
  Series<S> series_;
  LanesCode::Values code_ = nullptr;
};

template <class S>
using PlainValues = std::conditional_t<std::is_same_v<S, double>, ValueTape, SeriesOfOrderZero<S>>;

/// Of a program; `parameters` are for lanes.
template <class S>
PlainValues<S> make_plain_values(const System& system, const Program& program,
                                 std::span<const ParameterValues> parameters) {
  if constexpr (std::is_same_v<S, double>) {
    return ValueTape(system, program);
  } else {
    return SeriesOfOrderZero<S>(system, program, parameters);
  }
}

}  // namespace dalembert

// Values of a program at a point: in doubles the flat tape, in other numbers a series of order zero.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S>
class SeriesOfOrderZero {
 public:
  SeriesOfOrderZero(const System& system, const Program& program)
      : series_(program, system.constants<S>(program), 0) {}

  void set(std::size_t input, const S& value) { series_.set(series_.program().inputs[input], 0, value); }
  void set(std::size_t first, std::span<const S> values) {
    for (std::size_t i = 0; i < values.size(); ++i) set(first + i, values[i]);
  }
  void run() {
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) run(stage);
  }
  void run(Stage stage) { series_.run(stage, 0); }
  void hold_sign(Register r, const S& value) {
    if (value == value) {
      series_.hold_side(r, value);
    } else {
      series_.release_side(r);
    }
  }
  S value(const Scaled& output) const { return series_.output(output, 0); }

 private:
  Series<S, 1> series_;
};

template <class S>
using PlainValues = std::conditional_t<std::is_same_v<S, double>, ValueTape, SeriesOfOrderZero<S>>;

}  // namespace dalembert

// Runs a plan on truncated series: the coefficients of every register, order by order and stage by stage.
//
// Order 0 alone is plain evaluation; orders 0 and 1 with the inputs' tangents at order 1 give directional
// derivatives. S is the number type: doubles, many digits, exact rationals, lanes of trajectories. Nothing is
// allocated after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/tape/series_data.hpp>

namespace dalembert {

class Team;

template <class S>
class Series : public SeriesData<S> {
 public:
  /// The team runs the parts of the plan, which has as many; it must outlive the series. None: the calling
  /// thread alone.
  Series(std::shared_ptr<const SeriesPlan> plan, std::vector<S> constants, int max_order,
         Team* team = nullptr);
  /// With a plan of its own.
  Series(const Program& program, std::vector<S> constants, int max_order,
         std::span<const Register> wanted = {})
      : Series(max_order > 0 ? make_series_plan(program, wanted) : make_value_plan(program),
               std::move(constants), max_order) {}

  using SeriesData<S>::row;

  /// Other values of the parameters.
  void set_constants(std::vector<S> constants);

  /// From the values at order 0: the factors of instructions of a stage, by their numbers in
  /// SeriesPlan::Code::nonlinear, which run(stage, 1) finds by itself.
  void find_factors(Stage stage, std::span<const std::uint32_t> instructions);

  /// Coefficients k of all instructions of one stage; its inputs and earlier stages must have theirs.
  void run(Stage stage, int k);

 private:
  using typename SeriesData<S>::Place;
  using typename SeriesData<S>::Term;
  using typename SeriesData<S>::RowFactors;
  using typename SeriesData<S>::Side;
  using SeriesData<S>::plan_;
  using SeriesData<S>::writable;
  using SeriesData<S>::constants_;
  using SeriesData<S>::terms_;
  using SeriesData<S>::factors_;
  using SeriesData<S>::sides_;
  using SeriesData<S>::convolutions_;
  using Placed = SeriesPlan::Placed;
  using Nonlinear = SeriesPlan::Nonlinear;
  using Code = SeriesPlan::Code;

  void run(const Code& code, Convolutions<S>& convolutions, int k);
  // Order 0
  void evaluate(const Code& code);
  void evaluate(const Placed& instruction);
  S limited(const S& value) const;
  std::size_t evaluate_sincos(std::span<const Placed> instructions);
  // Orders from 1 on
  void find_factors(const Code& code, Convolutions<S>& convolutions);
  void find_factors(Convolutions<S>& convolutions, const Nonlinear& n);
  void extend(const Code& code, Convolutions<S>& convolutions, int k);
  void extend_power_at_zero(const Placed& power, int k);
  bool is_natural_power_of_zero(const Placed& power, std::size_t lane) const;

  Team* team_;
};

extern template class Series<double>;
extern template class Series<Real>;
extern template class Series<Rational>;
extern template class Series<Lanes<4>>;
extern template class Series<Lanes<8>>;

}  // namespace dalembert

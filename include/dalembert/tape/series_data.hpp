// What belongs to one series of one program: constants, coefficients, factors. The plan that says what is
// done with them is shared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/tape/convolutions.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

/// The values of a program's constants, in their order, from the values of its parameters: all that depends
/// on parameters alone.
template <class S>
std::vector<S> evaluate_constants(const Program& program, const std::unordered_map<NodeId, S>& parameters);

template <class S>
class SeriesData {
 public:
  /// Room for orders 0 .. max_order.
  SeriesData(std::shared_ptr<const SeriesPlan> plan, std::vector<S> constants, int max_order);
  SeriesData(const SeriesData&) = delete;
  SeriesData& operator=(const SeriesData&) = delete;

  int max_order() const { return max_order_; }
  const SeriesPlan& plan() const { return *plan_; }
  const Program& program() const { return *plan_->program; }
  const S& constant(ConstantId id) const { return constants_[id]; }

  /// Coefficients k of all registers, each at its place; no register's is zero.
  const S* row(int k) const { return memory_.data() + static_cast<std::size_t>(k) * row_size_; }
  std::size_t place(Register r) const { return plan_->place(r); }
  const S& get(Register r, int k) const { return row(k)[places_[r]]; }
  void set(Register r, int k, const S& value) { writable(k)[places_[r]] = value; }
  /// Coefficients k of `count` inputs of the program, from its input number `first` on.
  std::span<S> inputs(std::size_t first, std::size_t count, int k) {
    if (count == 0) return {};
    return {writable(k) + places_[inputs_[first]], count};
  }
  std::span<const S> inputs(std::size_t first, std::size_t count, int k) const {
    if (count == 0) return {};
    return {row(k) + places_[inputs_[first]], count};
  }

  /// Coefficient k of an output.
  S output(const Scaled& output, int k) const {
    if (output.x == no_register) return k == 0 ? constants_[output.coefficient] : constants_[0];
    return constants_[output.coefficient] * get(output.x, k);
  }

  /// Holds the abs, sign, min, max or atan2 of a register to one branch, whatever the sign of its argument
  /// (x, or x − y): −1, 0 or 1. A sign may have any other value too.
  void hold_side(Register r, const S& side) { sides_[places_[r]] = {side, true}; }
  void release_side(Register r) { sides_[places_[r]].is_held = false; }
  /// Coefficient k >= 1 of a sign that is held: zero unless it is set.
  void set_sign(Register r, int k, const S& value) { writable(k)[plan_->held_sign.at(places_[r])] = value; }

  /// For compiled code: all coefficients, [order][place]; constants; factors of rows in pairs, and of the
  /// sums of a stage at their places.
  S* rows() { return memory_.data(); }
  const S* constants() const { return constants_.data(); }
  const S* row_factors() const { return reinterpret_cast<const S*>(factors_.data()); }
  const S* sum_factors(Stage stage) const {
    return convolutions_[static_cast<std::size_t>(stage)].back().factors();
  }

  /// In doubles: values of exp, sinh and cosh beyond this count as infinite from the next order 0 on. Their
  /// coefficients overflow sooner than they do.
  void set_largest(double largest) { largest_ = largest; }

  /// Sums over products of lower orders that an order takes.
  std::size_t convolution_count() const { return plan_->convolution_count(); }

 protected:
  using Place = SeriesPlan::Place;
  struct Term {
    S coefficient;
    Place x;
  };
  struct RowFactors {
    S x;
    S y;
  };
  struct Side {  // of the argument of a call with branches
    S sign;
    bool is_held = false;
  };

  void take_constants(std::vector<S> constants);
  S* writable(int k) { return memory_.data() + static_cast<std::size_t>(k) * row_size_; }

  std::shared_ptr<const SeriesPlan> plan_;
  int max_order_;
  std::size_t row_size_;
  const Place* places_;     // of the plan
  const Register* inputs_;  // of the program
  std::vector<S> constants_;
  std::vector<S> memory_;                                     // [order][place]
  std::vector<Term> terms_;                                   // of linear instructions at order 0
  std::vector<RowFactors> factors_;                           // of rows
  std::unordered_map<Place, Side> sides_;                     // of SeriesPlan::branches
  std::array<std::vector<Convolutions<S>>, 4> convolutions_;  // of each code
  double largest_ = std::numeric_limits<double>::infinity();
};

extern template class SeriesData<double>;
extern template class SeriesData<Real>;
extern template class SeriesData<Rational>;
extern template class SeriesData<Lanes<4>>;
extern template class SeriesData<Lanes<8>>;

extern template std::vector<double> evaluate_constants(const Program&,
                                                       const std::unordered_map<NodeId, double>&);
extern template std::vector<Real> evaluate_constants(const Program&, const std::unordered_map<NodeId, Real>&);
extern template std::vector<Rational> evaluate_constants(const Program&,
                                                         const std::unordered_map<NodeId, Rational>&);

}  // namespace dalembert

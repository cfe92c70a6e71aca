#pragma once
// Contestants on one problem, their work-precision points, and their times at equal error.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "timing.hpp"

namespace dalembert::bench {

struct Result {
  bool finished = false;    // reached the end time
  double error = 0;         // of (q, v) at the end, error_norm.hpp
  double second_error = 0;  // for information: of lambda, of q alone, as the problem says
  long steps = 0, rejected = 0;
};

struct Contestant {
  std::string name;
  std::vector<double> tolerances;
  std::function<Result(double tolerance)> run;
};

struct Point {
  double tolerance;
  Result result;
  Timing timing;
};

struct Measured {
  std::string name;
  std::vector<Point> points;
};

// From coarse to fine, `per_decade` values in every power of ten, both ends included.
std::vector<double> tolerance_range(double coarse, double fine, int per_decade);

Measured measure(const Contestant& contestant, int repetitions = 20);

// Time at which the method reaches `error`: linear in the logarithms between neighbours on the front of
// points that no cheaper point of the method surpasses. Empty where the error lies outside the front.
std::optional<double> time_at_error(const std::vector<Point>& points, double error);

// One row per point: method, tolerance, error, second error, median and minimum time, steps, rejected steps.
void print_table_head(const std::string& second_error);
void print_points(const Measured& measured);

// One row per method, one column per error.
void print_equal_error(const std::vector<Measured>& all, const std::vector<double>& errors);

// Processor, compiler and, if given, the versions of the rivals.
void print_environment(const std::string& versions);

struct Comparison {
  std::vector<Contestant> contestants;
  std::vector<double> equal_errors;  // at which times are compared
  std::string second_error;          // what Result::second_error is the error of
};

// Measures all contestants whose name contains `filter` and prints both tables.
void run_comparison(const Comparison& comparison, const std::string& filter);

}  // namespace dalembert::bench

// Methods side by side on one model: cost, error against a reference of many digits, drift.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

struct MethodsCompared;

struct CompareOptions {
  SolveOptions run;                  ///< start, duration and what else holds for all methods
  std::vector<std::string> methods;  ///< empty: all
  std::vector<double> tolerances{1e-4, 1e-6, 1e-8, 1e-10, 1e-12};  ///< of methods that choose their steps
  std::vector<double> steps;  ///< of methods with a constant step; empty: the duration over 1000 and 10,000
  std::size_t samples = 100;  ///< where errors are measured, equally spaced
  int digits = 30;            ///< of the reference; 0: doubles
  std::function<void(const std::string&)> progress;  ///< told what is computed next
  std::function<void(const std::string&)> note;      ///< told what a reader of the results must know
  std::function<bool()> go_on;                       ///< false: to end with the runs that are there
  /// Given what is there: when the reference was checked, and after each run.
  std::function<void(const MethodsCompared&)> computed;
};

/// At the samples of one run.
struct DriftCurve {
  std::vector<double> t;
  std::vector<double> position;  ///< largest |g|
  std::vector<double> velocity;  ///< largest |C v + c|
  std::vector<double> energy;    ///< |energy − start − work|
};

struct ComparedRun {
  std::string method;
  bool constant_step = false;
  double setting = 0;   ///< tolerance, or step
  std::string refusal;  ///< not empty: the method did not run, and why
  RunReport report;
  /// The largest error at any sample, beside the largest value at any sample, of q, v, λ.
  double error_q = 0, error_v = 0, error_lambda = 0;
  DriftCurve drift;
};

/// Whether independent methods find the motion that errors are measured against.
struct ReferenceCheck {
  bool confirmed = false;
  std::string
      text;  ///< "confirmed by dop853 to 1.2e-11", or "not confirmed" and why, by whom it is contradicted
};

struct MethodsCompared {
  ReferenceCheck reference;
  std::vector<ComparedRun> runs;  ///< in the order of the methods, then of the settings
  bool interrupted = false;       ///< not all runs are there; the last one may be a part
};

/// Throws Error where the reference cannot be computed.
MethodsCompared compare_methods(const System& system, const CompareOptions& options);
MethodsCompared compare_methods(const KinematicSystem& system, const CompareOptions& options);

/// What errors are measured against: adomian with many digits; of kinematic systems a run by dop853.
std::string reference_name(const System& system, const CompareOptions& options);
std::string reference_name(const KinematicSystem& system, const CompareOptions& options);

}  // namespace dalembert

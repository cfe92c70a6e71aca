// What a run is asked to do, for every method; option.hpp describes each option.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

class DenseOutput;
class PathWatch;

struct Progress {
  double t;
  double fraction;  ///< of the duration
  std::size_t steps;
  std::string_view advice = {};  ///< as RunReport::advice, when it is known
};

/// How explicit methods stay near the constraints.
enum class Stabilization {
  none,        ///< C a = γ alone: drift grows
  baumgarte,   ///< g'' + 2 α g' + β² g = 0, and for nonholonomic constraints r' + 2 α r = 0
  linear,      ///< f' = K f, of kinematic systems
  projection,  ///< after each step onto g = 0 and C v + c = 0, in the norm of the mass matrix
};

struct SolveOptions {
  std::string method = "adomian";
  double start = 0;
  double duration = 10;  ///< negative: backwards in time
  double tolerance = 0;  ///< relative error allowed per step; 0: the method's own default
  /// Samples at start, start + output_step, ... and at the end; 0: at every step's end; or at `output_times`.
  double output_step = 0;
  std::vector<double> output_times;
  int order = 0;        ///< of series methods, the highest one of multistep methods; 0: chosen by cost
  bool project = true;  ///< adomian: back onto g = 0 and C v + c = 0 after each step
  double step = 0;      ///< of methods with a constant step; 0: a ten-thousandth of the duration
  std::optional<Stabilization> stabilization;  ///< none given: projection, or linear for kinematic systems
  std::optional<double> alpha, beta;           ///< Baumgarte's gains; none given: 1 / longest step
  std::string index_form;                      ///< of bdf and ndf; empty: as they choose
  std::string runge_kutta;                     ///< of methods that step by one; empty: dop853
  std::string formula;                         ///< of ndf: "ndf" (or empty) or "bdf"
  std::optional<double> rho;                   ///< spectral radius at infinity of generalized_alpha
  double max_step = 0;                         ///< 0: a twentieth of the duration
  std::size_t max_steps = 0;                   ///< 0: unlimited
  /// adomian in doubles: keeps the whole motion here; nothing is kept otherwise. It must outlive the run.
  DenseOutput* dense_output = nullptr;
  /// In doubles, batches included: told of every step. It must outlive the run.
  PathWatch* path_watch = nullptr;
  /// Of adomian in doubles on large systems, with the same results; 0: as many as pay.
  int threads = 0;
  /// Of adomian in doubles: "on": by compiled code from the first step on; "off": by the interpreter; "auto"
  /// (or empty): by compiled code as soon as it is there, where the work ahead is worth compiling.
  std::string native;
  /// Follow how errors grow along the run, for RunReport::end_error; a step takes up to 1.4 times as long.
  bool estimate_error = false;
  /// Energies and the work of the forces along the run, by whose balance it judges itself. Without, batches
  /// are up to twice as fast, and samples have no work.
  bool energies = true;
  int digits = 0;  ///< above 17: the whole solver runs in that many decimal digits
  std::function<bool(const Progress&)> progress;  ///< called now and then; false interrupts the run
};

}  // namespace dalembert

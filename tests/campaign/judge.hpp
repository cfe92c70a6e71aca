// Is the motion of a model right? Three methods that share no step formula run it; where two of them agree,
// the motion is known, and every method that finished without a doubt must have found it.
//
//   error of a run          <=  C N tol A(t)      N steps, A(t) growth of a small change of the start until t
//   |E(t) - E(0) - work|    <=  C N tol dE        dE: change of the energy by a change of all coordinates
//   |g|, |C v + c|          <=  round-off (adomian), C N tol (others), each beside what coordinates off by
//                               themselves would make of it
#pragma once

#include <string>
#include <vector>

#include "campaign/trial.hpp"

namespace dalembert::campaign {

/// A method that finished, was sure of itself, and is wrong; or a model that is refused before it moves.
struct Finding {
  std::string method;  ///< or "all"
  std::string what;    ///< motion, motion with friction, energy, position residual, velocity residual,
                       ///< undecided, no start
  double size = 0;
  double allowed = 0;
};

/// A sentence.
std::string text_of(const Finding& finding);

struct Judgement {
  std::vector<Finding> findings;
  std::vector<std::string> refusals;        ///< "method: reason" of methods that did not come to the end
  std::vector<std::string> needless_stops;  ///< those of them where the motion is known to go on
  std::vector<std::string> false_doubts;    ///< "method: reason" of methods that doubted a right result
  std::string no_start;                     ///< the model was refused before any method ran, and why
  bool warned = false;                      ///< a method doubted its result
  bool sensitive = false;  ///< changes of the start grow so much that motions cannot be compared
  double growth = 1;

  bool slid = false;           ///< adomian alone went along a sign that sticks, as a smooth force does
  bool adomian_alone = false;  ///< only adomian did not come to the end

  bool failed() const { return !findings.empty(); }
  /// No method came to the end.
  bool all_refused() const { return !no_start.empty() || refusals.size() == 3; }
};

/// Throws Error where the text is no model.
Judgement judge(const std::string& text);

}  // namespace dalembert::campaign

// What is kept of each run of a study.
#pragma once

#include <string>
#include <vector>

namespace dalembert::study {

struct Collected {
  enum class Kind {
    end,  ///< the value at the end
    max,  ///< the largest along the motion
    min,
    argmax,  ///< when it was the largest, first
    argmin,
    mean,      ///< in time
    integral,  ///< over time
    time,      ///< of an event, the first
    count,     ///< of an event
    motion,    ///< at the output times; of nothing: of all coordinates and velocities
  };
  Kind kind = Kind::end;
  std::string of;    ///< an expression of columns, or an event
  std::string name;  ///< as it was written: "max(theta1')"
};

/// "max(guide_force), end(theta1), time(hit), motion"; throws Error.
std::vector<Collected> parse_collected(const std::vector<std::string>& texts);

/// Whether it is a number of the motion, not of events.
bool is_of_motion(Collected::Kind kind);

}  // namespace dalembert::study

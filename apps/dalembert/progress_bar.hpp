// A progress bar on a terminal; nothing elsewhere.
#pragma once

#include <chrono>

#include <dalembert/solve/options.hpp>

namespace dalembert::app {

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  bool advised_ = false;
  Clock::time_point begin_;
  Clock::time_point last_;
};

}  // namespace dalembert::app

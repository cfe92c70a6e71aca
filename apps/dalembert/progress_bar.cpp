#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "terminal.hpp"

namespace dalembert::app {

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0), begin_(Clock::now()), last_(begin_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) say("\r\033[K");
}

void ProgressBar::show(const Progress& progress) {
  constexpr auto interval = std::chrono::milliseconds(100);
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now - last_ < interval) return;
  last_ = now;
  if (!progress.advice.empty() && !advised_) {
    say(fmt::format("\r\033[K{}\n", progress.advice));
    advised_ = true;
  }
  drawn_ = true;
  constexpr int width = 30;
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const int filled = static_cast<int>(fraction * width);
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double left = fraction > 0 ? elapsed * (1 - fraction) / fraction : 0;
  say(fmt::format("\r[{}{}] {:3.0f} %  t = {:<10.5g} {} steps  {:.0f} s left\033[K", std::string(filled, '#'),
                  std::string(width - filled, '.'), 100 * fraction, progress.t, progress.steps, left));
}

}  // namespace dalembert::app

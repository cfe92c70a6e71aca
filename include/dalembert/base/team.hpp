// Threads that share the work of a loop, again and again, some microseconds apart.
//
// Who gets what is fixed beforehand and no number is added up across threads, so results do not depend on how
// many there are.
#pragma once

#include <cstddef>
#include <memory>

namespace dalembert {

/// As many threads as run at once on this machine, at least 1.
int hardware_threads();

class Team {
 public:
  /// The calling thread and size − 1 others, which sleep when there is nothing to do for long.
  explicit Team(int size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }

  /// Calls work(i) for i = 0 .. size() − 1, each on its own thread if that is free, and returns when all
  /// have; the exception of the least i is thrown again. Not to be called by two threads, nor within work.
  template <class F>
  void run(const F& work) {
    call_all([](const void* f, int i) { (*static_cast<const F*>(f))(i); }, &work);
  }

  struct Range {
    std::size_t first, last;
  };
  /// What thread i gets of 0 .. count − 1.
  Range share(std::size_t count, int i) const {
    const auto threads = static_cast<std::size_t>(size_);
    const auto at = static_cast<std::size_t>(i);
    return {count * at / threads, count * (at + 1) / threads};
  }

 private:
  struct Members;
  using Call = void (*)(const void* work, int i);
  void call_all(Call call, const void* work);

  int size_;
  std::unique_ptr<Members> members_;
};

/// work(first, last) over 0 .. count − 1, in shares of the team; in one piece where there is no team, or too
/// little to do.
template <class F>
void share_range(Team* team, std::size_t count, const F& work) {
  // Less does not pay for waking the others. Chosen, not measured.
  constexpr std::size_t worthwhile = 2000;
  if (team == nullptr || count < worthwhile) return work(std::size_t{0}, count);
  team->run([&](int i) {
    const Team::Range range = team->share(count, i);
    work(range.first, range.last);
  });
}

}  // namespace dalembert

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include <dalembert/base/team.hpp>

namespace dalembert {
namespace {

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Until done() is true, or `limit` has passed.
template <class F>
bool spin(F done, std::chrono::nanoseconds limit) {
  using Clock = std::chrono::steady_clock;
  constexpr int looks = 32;  // at done() for one at the clock
  if (limit.count() == 0) return done();
  const Clock::time_point end = Clock::now() + limit;
  do {
    for (int i = 0; i < looks; ++i) {
      if (done()) return true;
      relax();
    }
  } while (Clock::now() < end);
  return done();
}

}  // namespace

int hardware_threads() { return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1); }

// A thread that the system lets wait must not keep the others waiting: who calls takes over what has not
// begun.
struct Team::Members {
  struct alignas(64) Share {              // in its own line of the caches
    std::atomic<std::uint32_t> begun{0};  // the last round in which somebody took it
  };
  alignas(64) std::atomic<std::uint32_t> round{0};
  alignas(64) std::atomic<std::int32_t> busy{0};    // others that have not finished their shares
  alignas(64) std::atomic<std::int32_t> asleep{0};  // to be woken; who looks finds none in most rounds
  alignas(64) Call call = nullptr;
  const void* work = nullptr;
  std::atomic<bool> ends{false};
  std::chrono::nanoseconds patience{};
  std::vector<Share> shares;
  std::vector<std::exception_ptr> errors;
  std::vector<std::thread> threads;

  explicit Members(std::size_t size) : shares(size), errors(size) {}

  bool take(std::size_t i, std::uint32_t this_round) {
    std::uint32_t before = this_round - 1;
    return shares[i].begun.compare_exchange_strong(before, this_round, std::memory_order_acq_rel);
  }
  void call_one(std::size_t i) {
    try {
      call(work, static_cast<int>(i));
    } catch (...) {
      errors[i] = std::current_exception();
    }
  }

  // Sequentially consistent: either the sleeper sees the change or who changes it sees the sleeper.
  template <class Done, class T>
  void sleep_until(Done done, std::atomic<T>& changes, T from) {
    asleep.fetch_add(1);
    if (!done()) changes.wait(from);
    asleep.fetch_sub(1);
  }

  void live(std::size_t i) {
    std::uint32_t seen = 0;
    while (true) {
      const auto begins = [&] { return round.load(std::memory_order_acquire) != seen; };
      if (!spin(begins, patience)) sleep_until(begins, round, seen);
      seen = round.load(std::memory_order_acquire);
      if (ends) return;
      if (!take(i, seen)) continue;
      call_one(i);
      if (busy.fetch_sub(1) == 1 && asleep.load() > 0) busy.notify_all();
    }
  }

  void begin() {
    busy.store(static_cast<std::int32_t>(shares.size()) - 1, std::memory_order_relaxed);
    round.fetch_add(1);
    if (asleep.load() > 0) round.notify_all();
  }
  void take_over() {
    const std::uint32_t this_round = round.load(std::memory_order_relaxed);
    for (std::size_t i = shares.size() - 1; i > 0; --i) {
      if (!take(i, this_round)) continue;
      call_one(i);
      busy.fetch_sub(1, std::memory_order_acq_rel);
    }
  }
  void await_others() {
    const auto done = [&] { return busy.load(std::memory_order_acquire) == 0; };
    if (spin(done, patience)) return;
    while (!done()) {
      const std::int32_t left = busy.load(std::memory_order_acquire);
      if (left != 0) sleep_until(done, busy, left);
    }
  }
};

Team::Team(int size) : size_(size), members_(std::make_unique<Members>(static_cast<std::size_t>(size))) {
  // rounds follow each other within microseconds; threads without a processor of their own only disturb
  constexpr std::chrono::microseconds patience(50);
  if (size <= hardware_threads()) members_->patience = patience;
  for (std::size_t i = 1; i < members_->shares.size(); ++i)
    members_->threads.emplace_back([this, i] { members_->live(i); });
}

Team::~Team() {
  members_->ends = true;
  members_->begin();
  for (std::thread& thread : members_->threads) thread.join();
}

void Team::call_all(Call call, const void* work) {
  Members& m = *members_;
  m.call = call;
  m.work = work;
  m.begin();
  m.call_one(0);
  m.take_over();
  m.await_others();
  for (std::exception_ptr& error : m.errors) {
    if (!error) continue;
    const std::exception_ptr first = error;
    std::fill(m.errors.begin(), m.errors.end(), nullptr);
    std::rethrow_exception(first);
  }
}

}  // namespace dalembert

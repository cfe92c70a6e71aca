#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include <dalembert/output/sample_relay.hpp>

namespace dalembert {
namespace {

constexpr std::size_t block_numbers = 8192;  // 64 kB
constexpr std::size_t most_waiting = 63;     // a writer may be away for some milliseconds
// Both threads look again after a while: to wake the other for each block would keep the computing one.
constexpr std::chrono::microseconds shortest_pause{50};
constexpr std::chrono::microseconds longest_pause{1000};

std::array<std::span<const double>, 7> parts_of(const Sample<double>& s) {
  return {s.q, s.v, s.a, s.lambda, s.outputs, s.position_residual, s.velocity_residual};
}

// A thread that leaves signals to those that were there before.
template <class Work>
std::thread start_without_signals(Work work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

SampleRelay::~SampleRelay() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    full_.clear();
  }
  stop();
}

void SampleRelay::begin(const Sample<double>& first) {
  width_ = 5;  // t and the energies
  const auto parts = parts_of(first);
  for (std::size_t i = 0; i < parts.size(); ++i) width_ += sizes_[i] = parts[i].size();
  block_size_ = std::max<std::size_t>(block_numbers / width_, 1) * width_;
  filling_.resize(block_size_);
}

void SampleRelay::add(const Sample<double>& sample) {
  if (width_ == 0) begin(sample);
  double* place = filling_.data() + filled_;
  for (const double number : {sample.t, sample.kinetic, sample.potential, sample.energy, sample.work})
    *place++ = number;
  for (const std::span<const double> part : parts_of(sample)) {
    for (const double number : part) *place++ = number;  // few of them: a copy by the library takes longer
  }
  filled_ += width_;
  if (filled_ == block_size_) hand_over();
}

// To write what the other thread has read is slow number by number, each waiting for its cache line; a copy
// of a block in one piece is not.
void SampleRelay::hand_over() {
  Block block = take_empty();
  block.assign(filling_.begin(), filling_.end());
  {
    const std::scoped_lock lock(mutex_);
    full_.push_back(std::move(block));
  }
  filled_ = 0;
  if (!thread_.joinable()) thread_ = start_without_signals([this] { work(); });
}

SampleRelay::Block SampleRelay::take_empty() {
  std::unique_lock lock(mutex_);
  while (full_.size() >= most_waiting && !failure_) changed_.wait_for(lock, longest_pause);
  if (failure_) std::rethrow_exception(failure_);
  if (empty_.empty()) return {};
  Block block = std::move(empty_.back());
  empty_.pop_back();
  return block;
}

void SampleRelay::finish() {
  if (thread_.joinable()) stop();
  if (failure_) std::rethrow_exception(failure_);
  take_all(std::span(filling_).first(filled_));
  filled_ = 0;
}

void SampleRelay::stop() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SampleRelay::work() {
  std::unique_lock lock(mutex_);
  auto pause = shortest_pause;
  while (true) {
    if (full_.empty()) {
      if (ended_) return;
      changed_.wait_for(lock, pause);
      pause = std::min(2 * pause, longest_pause);
      continue;
    }
    pause = shortest_pause;
    Block block = std::move(full_.front());
    full_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      take_all(block);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    empty_.push_back(std::move(block));
    failure_ = failure;
    if (failure_) return;
  }
}

void SampleRelay::take_all(std::span<const double> numbers) const {
  Sample<double> sample{};
  while (!numbers.empty()) {
    const auto next = [&](std::size_t size) {
      const std::span<const double> part = numbers.first(size);
      numbers = numbers.subspan(size);
      return part;
    };
    const std::span<const double> five = next(5);
    sample.t = five[0];
    sample.kinetic = five[1];
    sample.potential = five[2];
    sample.energy = five[3];
    sample.work = five[4];
    const std::array targets{&sample.q,
                             &sample.v,
                             &sample.a,
                             &sample.lambda,
                             &sample.outputs,
                             &sample.position_residual,
                             &sample.velocity_residual};
    for (std::size_t i = 0; i < targets.size(); ++i) *targets[i] = next(sizes_[i]);
    take_(sample);
  }
}

}  // namespace dalembert

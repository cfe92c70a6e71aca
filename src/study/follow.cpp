#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <dalembert/base/error.hpp>
#include <dalembert/study/process_executor.hpp>

#include "process_letters.hpp"
#include "row_bytes.hpp"

namespace dalembert::study {
namespace {

// Threads compute, the one that calls run() writes and reads letters.
class FollowingProcess {
 public:
  FollowingProcess(const Study& study, Messages& messages, const ProcessSettings& settings,
                   const std::function<bool()>& go_on)
      : study_(study),
        messages_(messages),
        executor_(settings.threads),
        signs_(settings.patience / 10),
        go_on_(go_on) {}

  void run() {
    std::jthread computing([this] { compute(); });
    std::string request = letter_of(LetterKind::request);
    put(request, static_cast<std::uint64_t>(executor_.threads() + 1));  // one is on its way
    send(request);
    Pause pause;
    while (!is_done_) serve() ? pause.reset() : pause.wait();
    computing.join();
    while (serve()) {
    }
    std::string farewell = letter_of(LetterKind::farewell);
    put(farewell, executor_.busy_seconds());
    send(farewell + reason_of_failure());
    messages_.finish();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void compute() {
    try {
      executor_.run(
          study_, [this] { return next(); }, [this](RowBlock&& block) { take_rows_of(std::move(block)); },
          [this] { return !is_stopped_ && go_on_(); });
    } catch (...) {
      failure_ = std::current_exception();
    }
    is_done_ = true;
  }

  std::optional<std::uint64_t> next() {
    std::unique_lock lock(mutex_);
    const auto something = [this] { return !blocks_.empty() || has_all_ || is_stopped_; };
    while (!changed_.wait_for(lock, std::chrono::milliseconds(100), something))
      if (!go_on_()) return std::nullopt;
    if (blocks_.empty() || is_stopped_) return std::nullopt;
    const std::uint64_t number = blocks_.front();
    blocks_.pop_front();
    return number;
  }

  void take_rows_of(RowBlock&& block) {
    std::string letter = letter_of(LetterKind::rows);
    put(letter, block.first / Study::block_rows);
    put_rows(letter, block);
    const std::scoped_lock lock(mutex_);
    done_.push_back(std::move(letter));
  }

  // False: there was nothing to do.
  bool serve() {
    bool has_worked = false;
    while (const std::optional<std::string> letter = next_done()) {
      send(*letter);
      has_worked = true;
    }
    while (const std::optional<Message> message = messages_.receive()) {
      read(Letter(message->bytes));
      has_worked = true;
    }
    if (Clock::now() - wrote_ > signs_) send(letter_of(LetterKind::alive));
    return has_worked;
  }

  std::optional<std::string> next_done() {
    const std::scoped_lock lock(mutex_);
    if (done_.empty()) return std::nullopt;
    std::string letter = std::move(done_.front());
    done_.pop_front();
    return letter;
  }

  void read(Letter letter) {
    const std::scoped_lock lock(mutex_);
    if (letter.kind == LetterKind::stop) is_stopped_ = true;
    if (letter.kind == LetterKind::blocks && letter.rest.empty()) has_all_ = true;
    while (letter.kind == LetterKind::blocks && !letter.rest.empty())
      blocks_.push_back(take<std::uint64_t>(letter.rest));
    changed_.notify_all();
  }

  void send(const std::string& letter) {
    messages_.send(0, letter);
    wrote_ = Clock::now();
  }

  std::string reason_of_failure() const {
    if (!failure_) return is_stopped_ || go_on_() ? "" : "interrupted";
    try {
      std::rethrow_exception(failure_);
    } catch (const Error& error) {
      return error.message();
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  const Study& study_;
  Messages& messages_;
  ThreadExecutor executor_;
  std::chrono::milliseconds signs_;
  const std::function<bool()>& go_on_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::uint64_t> blocks_;  // to be computed
  std::deque<std::string> done_;      // letters to be sent
  bool has_all_ = false;              // no further block comes
  std::atomic<bool> is_stopped_ = false, is_done_ = false;
  std::exception_ptr failure_;
  Clock::time_point wrote_ = Clock::now();
};

}  // namespace

void follow(const Study& study, Messages& messages, const ProcessSettings& settings,
            const std::function<bool()>& go_on) {
  FollowingProcess(study, messages, settings, go_on).run();
}

}  // namespace dalembert::study

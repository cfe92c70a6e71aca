#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/study/process_executor.hpp>

#include "process_letters.hpp"
#include "row_bytes.hpp"

namespace dalembert::study {

// What the threads of the leading process and its answers to others have in common.
struct LeadingExecutor::Shared {
  const Study& study;
  const NextBlock& next_new;
  const TakeBlock& take_block;
  const std::function<bool()>& go_on;
  std::mutex mutex;
  std::deque<std::uint64_t> lost;  // blocks, for others
  std::exception_ptr failure;
  bool ended = false;

  std::optional<std::uint64_t> next() {
    const std::scoped_lock lock(mutex);
    if (ended) return std::nullopt;
    if (lost.empty()) return next_new();
    const std::uint64_t number = lost.front();
    lost.pop_front();
    return number;
  }
  void take(RowBlock&& block) {
    const std::scoped_lock lock(mutex);
    if (!ended) take_block(std::move(block));
  }
  bool goes_on() {
    const std::scoped_lock lock(mutex);
    return !ended && go_on();
  }
  void end(std::exception_ptr with) {
    const std::scoped_lock lock(mutex);
    if (!failure) failure = std::move(with);
    ended = true;
  }
};

LeadingExecutor::LeadingExecutor(Messages& messages, const ProcessSettings& settings)
    : messages_(messages), settings_(settings), followers_(static_cast<std::size_t>(messages.size())) {
  followers_[0].is_there = false;
}

LeadingExecutor::~LeadingExecutor() {
  try {
    if (is_over_) return;
    Pause pause;
    for (int rank = 1; rank < messages_.size(); ++rank) stop(rank);
    const Clock::time_point begin = Clock::now();
    while (has_followers() && Clock::now() - begin < settings_.patience) {
      const std::optional<Message> message = messages_.receive();
      if (!message) {
        pause.wait();
      } else if (Letter(message->bytes).kind == LetterKind::farewell) {
        followers_[static_cast<std::size_t>(message->from)].is_there = false;
      }
    }
    if (!has_followers()) messages_.finish();
  } catch (...) {  // they end with this process
  }
}

bool LeadingExecutor::has_followers() const {
  return std::ranges::any_of(followers_, [](const Follower& one) { return one.is_there; });
}

void LeadingExecutor::run(const Study& study, const NextBlock& next, const TakeBlock& take,
                          const std::function<bool()>& go_on) {
  Shared shared{study, next, take, go_on, {}, {}, {}, false};
  ThreadExecutor own(settings_.threads);
  do {  // again for blocks that were lost at the end
    std::atomic<bool> is_done = false;
    std::jthread computing([&] {
      try {
        own.run(
            study, [&] { return shared.next(); }, [&](RowBlock&& block) { shared.take(std::move(block)); },
            [&] { return shared.goes_on(); });
      } catch (...) {
        shared.end(std::current_exception());
      }
      is_done = true;
    });
    Pause pause;
    while (!is_done || has_followers()) {
      try {
        serve(shared) ? pause.reset() : pause.wait();
      } catch (const MessageError& error) {
        for (Follower& one : followers_)
          if (one.is_there) lose(one, error.message(), shared);
      } catch (...) {  // the log cannot be written
        shared.end(std::current_exception());
      }
    }
  } while (!shared.lost.empty() && shared.goes_on());
  busy_ += own.busy_seconds();
  is_over_ = true;
  if (trouble_.empty()) messages_.finish();
  if (shared.failure) std::rethrow_exception(shared.failure);
}

// False: nobody has written.
bool LeadingExecutor::serve(Shared& shared) {
  if (!shared.goes_on()) {
    for (int rank = 1; rank < messages_.size(); ++rank) stop(rank);
  }
  const std::optional<Message> message = messages_.receive();
  if (message) {
    read(*message, shared);
  } else {
    look_for_lost(shared);
  }
  return message.has_value();
}

void LeadingExecutor::read(const Message& message, Shared& shared) {
  Follower& one = followers_[static_cast<std::size_t>(message.from)];
  if (!one.is_there) return;  // its blocks are with others
  one.heard = Clock::now();
  Letter letter(message.bytes);
  switch (letter.kind) {
    case LetterKind::request:
      return give(message.from, take<std::uint64_t>(letter.rest), shared);
    case LetterKind::rows: {
      const auto number = take<std::uint64_t>(letter.rest);
      const std::uint64_t first = number * Study::block_rows;
      const auto count = std::min<std::uint64_t>(Study::block_rows, shared.study.plan().rows() - first);
      std::erase(one.blocks, number);
      shared.take(take_rows(letter.rest, first, count, shared.study.row_width()));
      return give(message.from, 1, shared);
    }
    case LetterKind::farewell:
      busy_ += take<double>(letter.rest);
      if (!letter.rest.empty() || (!one.blocks.empty() && !one.is_stopped))
        return lose(one, fmt::format("process {}: {}", message.from, letter.rest), shared);
      one.is_there = false;
      return;
    case LetterKind::alive:
    case LetterKind::blocks:
    case LetterKind::stop:
      return;
  }
}

void LeadingExecutor::give(int rank, std::uint64_t wanted, Shared& shared) {
  Follower& one = followers_[static_cast<std::size_t>(rank)];
  std::string letter = letter_of(LetterKind::blocks);
  for (; wanted > 0 && !one.is_stopped; --wanted) {
    const std::optional<std::uint64_t> number = shared.next();
    if (!number) break;
    put(letter, *number);
    one.blocks.push_back(*number);
  }
  messages_.send(rank, letter);
}

void LeadingExecutor::stop(int rank) {
  Follower& one = followers_[static_cast<std::size_t>(rank)];
  if (!one.is_there || std::exchange(one.is_stopped, true)) return;
  messages_.send(rank, letter_of(LetterKind::stop));
}

void LeadingExecutor::look_for_lost(Shared& shared) {
  for (std::size_t rank = 1; rank < followers_.size(); ++rank) {
    if (followers_[rank].is_there && Clock::now() - followers_[rank].heard > settings_.patience)
      lose(followers_[rank], fmt::format("process {} has not been heard of any more", rank), shared);
  }
}

void LeadingExecutor::lose(Follower& one, const std::string& trouble, Shared& shared) {
  one.is_there = false;
  trouble_ += (trouble_.empty() ? "" : "; ") + trouble;
  const std::scoped_lock lock(shared.mutex);
  shared.lost.insert(shared.lost.end(), one.blocks.begin(), one.blocks.end());
}

}  // namespace dalembert::study

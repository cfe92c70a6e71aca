#include "interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <dalembert/base/stop.hpp>
#include <dalembert/output/atomic_file.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

std::atomic<bool> keeping = false;
std::atomic<long> asked_at = 0;  // milliseconds of the monotonic clock
sem_t wake_last_resort;          // a handler may post it
static_assert(std::atomic<long>::is_always_lock_free, "used by a signal handler");

long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// By the signal itself, so that a shell or a script sees what ended the program.
[[noreturn]] void end_by(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
  constexpr int killed = 128;  // as a shell says it
  _exit(killed + signal);
}

void say_in_handler(std::string_view text) {
  const ssize_t ignored = write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

void handle(int signal) {
  const int saved = errno;
  constexpr long patience = 1000;
  if (!keeping) {
    say_in_handler("dalembert: ended by a signal; nothing is written\n");
    end_by(signal);
  }
  if (!stop_requested()) {
    asked_at = milliseconds();
    request_stop();
    sem_post(&wake_last_resort);
  } else if ((signal == SIGINT || signal == SIGQUIT) && milliseconds() - asked_at > patience) {
    say_in_handler("\ndalembert: ended by a second signal; what was computed is lost\n");
    end_by(signal);
  }
  errno = saved;
}

}  // namespace

void listen_to_signals() {
  sem_init(&wake_last_resort, 0, 0);
  struct sigaction action {};
  action.sa_handler = handle;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) sigaddset(&action.sa_mask, signal);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGXCPU}) sigaction(signal, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup wants it ignored
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like a full disk
  std::signal(SIGPIPE, SIG_IGN);  // so is a pipe that nobody reads
}

void keep_what_is_computed() { keeping = true; }

bool interrupt_asked() { return stop_requested(); }

LastResort::LastResort(std::function<int()> save) : save_(std::move(save)) {}

void LastResort::begin() {
  if (!thread_.joinable()) thread_ = std::thread([this] { wait(); });
}

LastResort::~LastResort() {
  if (!thread_.joinable()) return;
  dismiss();
  sem_post(&wake_last_resort);
  thread_.join();
}

void LastResort::dismiss() {
  const std::lock_guard lock(mutex_);
  dismissed_ = true;
}

void LastResort::wait() {
  while (sem_wait(&wake_last_resort) != 0) {  // a signal came to this thread
  }
  constexpr long patience = 500'000'000;  // ns
  timespec end{};
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_nsec += patience;
  end.tv_sec += end.tv_nsec / 1'000'000'000;
  end.tv_nsec %= 1'000'000'000;
  if (!is_dismissed())  // else this was the destructor, which posts again
    while (sem_clockwait(&wake_last_resort, CLOCK_MONOTONIC, &end) != 0 && errno == EINTR) {
    }
  const std::lock_guard lock(mutex_);
  if (!dismissed_) end_with_what_is_saved();
}

bool LastResort::is_dismissed() {
  const std::lock_guard lock(mutex_);
  return dismissed_;
}

void LastResort::end_with_what_is_saved() {
  int status = stopped_early;
  try {
    status = save_();
  } catch (const std::exception& error) {
    say(fmt::format("dalembert: {}\n", error.what()));
  }
  std::fflush(nullptr);
  remove_unfinished_files();
  _exit(status);
}

void end_without_reader() { end_by(SIGPIPE); }

}  // namespace dalembert::app

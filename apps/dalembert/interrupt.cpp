#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace dalembert::app {
namespace {

volatile std::sig_atomic_t asked = 0;
void ask(int) { asked = 1; }

}  // namespace

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = ask;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second time ends the program at once
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like a full disk
}

bool interrupt_asked() { return asked != 0; }

}  // namespace dalembert::app

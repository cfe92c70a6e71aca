// How the program ends: exit status, and messages that say what would be right.
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/settings/option.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

void print_message(const std::string& message) {
  say(fmt::format("dalembert: {}\n", printable(message, LineBreaks::keep)));
}

// "file:line:column: error: ..." when the place is known.
void print_error(const Error& error) {
  if (error.where().file.empty()) {
    print_message(error.message());
  } else {
    say(fmt::format("{}\n", error.what()));
  }
}

// The innermost command that was called.
const CLI::App* called_command(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

std::string full_name(const CLI::App* app) {
  const CLI::App* parent = app->get_parent();
  return parent == nullptr ? app->get_name() : full_name(parent) + " " + app->get_name();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App* command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

void refuse_unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string word = argv[1];
  const std::vector<std::string> names = command_names(app);
  for (const std::string& name : names) {
    if (name == word) return;
  }
  throw Error(fmt::format("unknown command '{}'{}", word, suggestion(word, names)));
}

// In place of "--every: At Most 1 required but received 2".
std::string describe_repetition(const CLI::App* command, const std::string& text) {
  const std::size_t end = text.find(": At Most 1 required");
  if (end == std::string::npos) return text;
  const CLI::Option* const option = command->get_option_no_throw(text.substr(0, end));
  if (option == nullptr) return text;
  std::vector<std::string> names;
  for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return fmt::format("{} can be given once, not {} times: {}", join(names, " or "), option->results().size(),
                     join(option->results(), ", "));
}

// CLI11 lists what it did not expect; the first word of it and its nearest option say more.
std::string describe(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = called_command(&app);
  std::string text = describe_repetition(command, error.what());
  const std::vector<std::string> unexpected = app.remaining(true);
  if (!unexpected.empty()) {
    const std::string& word = unexpected.front();
    const std::string retired =
        word.starts_with("--") ? retired_option(word.substr(2, word.find('=') - 2), Spelling::flag) : "";
    text = !retired.empty() ? retired
           : word.front() == '-'
               ? fmt::format("unknown option '{}'{}", word, suggestion(word, option_names(command)))
               : fmt::format("'{}' is one argument too many", word);
  }
  return fmt::format("{}\nTry '{} --help'.", text, full_name(command));
}

int parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);
    return exit_status();
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    print_message(describe(app, error));
    return wrong_call;
  }
}

// A full disk shows when the buffer is emptied.
int with_written_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  if (errno == EPIPE) end_without_reader();
  print_message(fmt::format("cannot write the output: {}", std::strerror(errno)));
  return stopped_early;
}

}  // namespace

int& exit_status() {
  static int status = done;
  return status;
}

void refuse_strange_numbers(CLI::App& app) {
  const auto check = [](const std::string& text) -> std::string {
    if (text.empty()) return "a number is missing";
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value))
      return fmt::format("'{}' is no number; write one as 0.5 or 1e-3", text);
    return std::isfinite(value) ? "" : fmt::format("'{}' is not a finite number", text);
  };
  const auto check_whole = [check](const std::string& text) -> std::string {
    std::int64_t value = 0;
    if (CLI::detail::lexical_cast(text, value)) return "";
    const std::string wrong = check(text);
    return wrong.empty() ? fmt::format("'{}' is no whole number", text) : wrong;
  };
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      const std::string type = option->get_type_name();
      if (type.starts_with("FLOAT") || type == "NUMBERS") option->check(check);
      if (type.starts_with("INT") || type.starts_with("UINT")) option->check(check_whole);
    }
  }
}

int run_program(CLI::App& app, int argc, const char* const* argv) {
  try {
    return with_written_output(parse(app, argc, argv));
  } catch (const OutputError& error) {
    print_message(error.message());
  } catch (const Error& error) {
    print_error(error);
    return wrong_call;
  } catch (const std::bad_alloc&) {
    print_message("not enough memory");
  } catch (const std::system_error& error) {  // of standard output, or of a thread
    if (error.code() == std::errc::broken_pipe) end_without_reader();
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    print_message(thread ? "the system gives no further thread: not enough memory, or too many processes"
                         : fmt::format("cannot write the output: {}", error.code().message()));
  } catch (const std::exception& error) {
    print_message(error.what());
  }
  return stopped_early;
}

}  // namespace dalembert::app

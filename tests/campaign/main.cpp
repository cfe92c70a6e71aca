// campaign [--seconds S] [--seed N] [--kind NAME] [--count N] [--folder DIR]: runs random models, prints what
// it found, writes failing models, shrunk, to the folder. Status 2 where a model failed.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>

#include "campaign/generator.hpp"
#include "campaign/judge.hpp"
#include "campaign/shrink.hpp"
#include "campaign/starts.hpp"

namespace dalembert::campaign {
namespace {

struct Arguments {
  double seconds = 60;
  std::uint64_t seed = 0;   // 0: a new one
  std::uint64_t count = 0;  // models of each kind; 0: until the time is over
  std::string kind;
  std::filesystem::path folder = "campaign";
  std::string file;  // judged alone
  bool print = false;
};

struct Counts {
  std::size_t models = 0, failed = 0, warned = 0, false_doubts = 0, refused = 0, needless_stops = 0,
              adomian_alone = 0, all_refused = 0, slid = 0, sensitive = 0, broken = 0;
};
constexpr std::array<std::pair<const char*, std::size_t Counts::*>, 11> columns{{
    {"models", &Counts::models},
    {"failed", &Counts::failed},
    {"warned", &Counts::warned},
    {"without need", &Counts::false_doubts},
    {"stopped: any", &Counts::refused},
    {"without need", &Counts::needless_stops},
    {"only adomian", &Counts::adomian_alone},
    {"all", &Counts::all_refused},
    {"slid", &Counts::slid},
    {"sensitive", &Counts::sensitive},
    {"not read", &Counts::broken},
}};

std::string line_of(const Judgement& j) {
  std::string text;
  for (const Finding& finding : j.findings) text += "  " + text_of(finding) + "\n";
  for (const std::string& refusal : j.refusals) text += "  refused by " + refusal + "\n";
  for (const std::string& stop : j.needless_stops) text += "  needless stop of " + stop + "\n";
  for (const std::string& doubt : j.false_doubts) text += "  false doubt of " + doubt + "\n";
  if (!j.no_start.empty()) text += "  no start: " + j.no_start + "\n";
  if (j.warned) text += "  warned\n";
  if (j.sensitive) text += fmt::format("  sensitive: growth {:.2g}\n", j.growth);
  return text;
}

class Campaign {
 public:
  explicit Campaign(Arguments arguments) : arguments_(std::move(arguments)) {
    std::filesystem::create_directories(arguments_.folder);
    if (arguments_.seed == 0) {
      const auto now = std::chrono::system_clock::now().time_since_epoch();
      arguments_.seed =
          static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
    }
  }

  int run() {
    fmt::print("seed {}\n", arguments_.seed);
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::uint64_t round = 0;
    for (; arguments_.count > 0 ? round < arguments_.count : elapsed() < arguments_.seconds; ++round) {
      for (const Kind kind : all_kinds) {
        if (arguments_.kind.empty() || name_of(kind) == arguments_.kind)
          try_model(kind, arguments_.seed + round);
      }
      if (arguments_.kind.empty() || arguments_.kind == "start") try_start(arguments_.seed + round);
    }
    print(elapsed());
    return failures_ > 0 ? 2 : 0;
  }

 private:
  void try_model(Kind kind, std::uint64_t seed) {
    Counts& counts = counts_[std::string(name_of(kind))];
    const std::string text = make_model(kind, seed);
    write("current.toml", "", text);  // what a crash or a hang was about
    ++counts.models;
    Judgement judgement;
    try {
      judgement = judge(text);
    } catch (const Error& error) {
      ++counts.broken;
      fmt::print("{} {}: no model: {}\n", name_of(kind), seed, error.what());
      return;
    }
    counts.failed += judgement.failed() ? 1 : 0;
    counts.warned += judgement.warned ? 1 : 0;
    counts.false_doubts += judgement.false_doubts.empty() ? 0 : 1;
    counts.needless_stops += judgement.needless_stops.empty() ? 0 : 1;
    counts.refused += !judgement.refusals.empty() ? 1 : 0;
    counts.all_refused += judgement.all_refused() ? 1 : 0;
    counts.adomian_alone += judgement.adomian_alone ? 1 : 0;
    counts.slid += judgement.slid ? 1 : 0;
    counts.sensitive += judgement.sensitive ? 1 : 0;
    const bool clean =
        !judgement.failed() && !judgement.all_refused() && judgement.refusals.empty() && !judgement.warned;
    if (clean) return;
    fmt::print("{} {}\n{}", name_of(kind), seed, line_of(judgement));
    std::fflush(stdout);
    if (judgement.failed()) keep(kind, seed, text, judgement.findings[0]);
  }

  void try_start(std::uint64_t seed) {
    const StartCase start = make_start(seed);
    write("current.toml", "", start.text);
    ++counts_["start"].models;
    const std::string wrong = judge_start(start);
    if (wrong.empty()) return;
    ++counts_["start"].failed;
    ++failures_;
    fmt::print("start {}: {}\n{}", seed, wrong, start.text);
    write(fmt::format("start_{}.toml", seed), fmt::format("# {}\n", wrong.substr(0, wrong.find('\n'))),
          start.text);
  }

  void keep(Kind kind, std::uint64_t seed, const std::string& text, const Finding& finding) {
    ++failures_;
    const std::string name = fmt::format("{}_{}", name_of(kind), seed);
    const std::string head = "# " + text_of(finding) + "\n";
    write(name + "_whole.toml", head, text);
    constexpr std::size_t enough = 3;  // of one sort
    if (++shrunk_[finding.method + finding.what] > enough) return;
    const auto fails = [&](const std::string& candidate) {
      try {
        write("current.toml", "", candidate);
        for (const Finding& f : judge(candidate).findings) {
          if (f.method == finding.method && f.what == finding.what) return true;
        }
      } catch (const Error&) {  // no model
      }
      return false;
    };
    constexpr std::size_t most_tries = 600;
    const std::string small = shrink(text, fails, most_tries);
    write(name + ".toml", head, small);
    fmt::print("{}{}", head, small);
    std::fflush(stdout);
  }

  void write(const std::string& name, const std::string& head, const std::string& text) const {
    std::ofstream(arguments_.folder / name) << head << text;
  }

  void print(double seconds) const {
    fmt::print("\n{:<14}", "kind");
    for (const auto& [name, member] : columns) fmt::print("{:>15}", name);
    Counts sum;
    const auto row = [](const std::string& kind, const Counts& counts) {
      fmt::print("\n{:<14}", kind);
      for (const auto& [name, member] : columns) fmt::print("{:>15}", counts.*member);
    };
    for (const auto& [kind, counts] : counts_) {
      row(kind, counts);
      for (const auto& [name, member] : columns) sum.*member += counts.*member;
    }
    row("all", sum);
    fmt::print("\n{:.0f} s, {:.1f} models per second, seed {}\n", seconds,
               static_cast<double>(sum.models) / seconds, arguments_.seed);
  }

  Arguments arguments_;
  std::map<std::string, Counts> counts_;
  std::size_t failures_ = 0;
  std::map<std::string, std::size_t> shrunk_;  // failures that were made small, by sort
};

Arguments parse(int count, char** words) {
  Arguments result;
  const std::map<std::string_view, std::function<void(const char*)>> known{
      {"--seconds", [&](const char* w) { result.seconds = std::atof(w); }},
      {"--seed", [&](const char* w) { result.seed = std::strtoull(w, nullptr, 10); }},
      {"--count", [&](const char* w) { result.count = std::strtoull(w, nullptr, 10); }},
      {"--kind", [&](const char* w) { result.kind = w; }},
      {"--folder", [&](const char* w) { result.folder = w; }},
      {"--judge", [&](const char* w) { result.file = w; }},
      {"--print", [&](const char* w) {
         result.print = true;
         result.seed = std::strtoull(w, nullptr, 10);
       }}};
  for (int i = 1; i < count; i += 2) {
    const auto found = known.find(words[i]);
    if (found == known.end() || i + 1 == count)
      throw Error(fmt::format("unknown or incomplete: {}", words[i]));
    found->second(words[i + 1]);
  }
  return result;
}

int run(const Arguments& arguments) {
  if (!arguments.file.empty()) {
    std::ifstream file(arguments.file);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    fmt::print("{}", line_of(judge(text)));
    return 0;
  }
  if (arguments.print) {
    for (const Kind kind : all_kinds) {
      if (name_of(kind) == arguments.kind) fmt::print("{}", make_model(kind, arguments.seed));
    }
    return 0;
  }
  return Campaign(arguments).run();
}

}  // namespace
}  // namespace dalembert::campaign

int main(int count, char** words) {
  try {
    return dalembert::campaign::run(dalembert::campaign::parse(count, words));
  } catch (const dalembert::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

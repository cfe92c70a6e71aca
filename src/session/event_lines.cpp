#include "event_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert::session {
namespace {

constexpr std::size_t most_event_lines = 12;

struct EventGroup {
  std::string name, kind;
  std::size_t count;
  const EventRecord* first;
  const EventRecord* last;
};

std::string note_of(const EventRecord& event) { return event.note.empty() ? "" : ": " + event.note; }

// In the order of their first events. With `owners`, hit.a.b and hit.c.d are both hit.*.
std::vector<EventGroup> group_events(const std::vector<EventRecord>& events, bool owners) {
  std::vector<EventGroup> groups;
  for (const EventRecord& event : events) {
    const std::size_t dot = owners ? event.name.find('.') : std::string::npos;
    const std::string name = dot == std::string::npos ? event.name : event.name.substr(0, dot) + ".*";
    const auto same = std::ranges::find_if(
        groups, [&](const EventGroup& group) { return group.name == name && group.kind == event.kind; });
    if (same == groups.end()) {
      groups.push_back({name, event.kind, 1, &event, &event});
    } else {
      ++same->count;
      same->last = &event;
    }
  }
  return groups;
}

std::string one_by_one(const std::vector<EventRecord>& events) {
  std::string text;
  for (const EventRecord& event : events)
    text +=
        fmt::format("    t = {:<20} {} ({}){}\n", shortest(event.t), event.name, event.kind, note_of(event));
  return text;
}

std::string counted(const std::vector<EventRecord>& events) {
  std::vector<EventGroup> groups = group_events(events, false);
  if (groups.size() > most_event_lines) groups = group_events(events, true);
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most_event_lines); ++i) {
    const auto& [name, kind, count, first, last] = groups[i];
    const std::string until = count > 1 ? fmt::format(" to {:.6g}", last->t) : "";
    text += fmt::format("    {:>6}  {:<24} t = {:.6g}{}{}\n", count, fmt::format("{} ({})", name, kind),
                        first->t, until, count == 1 || last->kind == "rest" ? note_of(*last) : "");
  }
  if (groups.size() > most_event_lines)
    text += fmt::format("            and of {} more names and kinds\n", groups.size() - most_event_lines);
  return text;
}

}  // namespace

std::string event_lines(const RunReport& report) {
  if (report.events.empty()) return "";
  std::string text = fmt::format("  events         {}\n", report.events.size());
  text += report.events.size() <= most_event_lines ? one_by_one(report.events) : counted(report.events);
  if (report.event_energy != 0)
    text += fmt::format("  event energy   {:.6g} by events and impacts\n", report.event_energy);
  return text;
}

}  // namespace dalembert::session

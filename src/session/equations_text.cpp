// The page of `dalembert equations` as plain text and as JSON.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/layout.hpp>

namespace dalembert::session {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(Expr e) {
  try {
    return dalembert::to_text(e);
  } catch (const Error&) {
    return text_excerpt(e) + " (too long to print)";
  }
}

std::string label(const Block& block, const ExprMatrix::Entry& entry) {
  if (block.rows.names.empty()) return block.symbol;
  if (block.columns.names.empty()) return fmt::format("{}({})", block.symbol, block.rows.names[entry.row]);
  return fmt::format("{}({}, {})", block.symbol, block.rows.names[entry.row],
                     block.columns.names[entry.column]);
}

std::string block_text(const Block& block) {
  std::string out = fmt::format("{}: {}{}{}\n", block.symbol, block.meaning,
                                block.symmetric ? ", symmetric" : "", block.entries.empty() ? ", zero" : "");
  for (const auto& entry : block.entries) {
    if (block.symmetric && entry.row > entry.column) continue;
    out += wrap_expression(fmt::format("  {} = {}", label(block, entry), text_of(entry.value)), "      ");
  }
  return out;
}

Json entry_json(const Block& block, const ExprMatrix::Entry& entry) {
  Json json = Json::object();
  if (!block.rows.names.empty()) json["row"] = block.rows.names[entry.row];
  if (!block.columns.names.empty()) json["column"] = block.columns.names[entry.column];
  json["text"] = text_of(entry.value);
  try {
    json["latex"] = dalembert::to_latex(entry.value);
  } catch (const Error&) {
    json["latex"] = Json();
  }
  return json;
}

}  // namespace

std::string to_text(const EquationsPage& page) {
  std::string out;
  if (!page.model->title.empty()) out += wrap_words(page.model->title, "", "");
  if (!page.model->source.empty()) out += wrap_words(page.model->source, "  ", "  ");
  std::vector<std::string> names;
  for (const Coordinate& coordinate : page.model->coordinates) names.push_back(coordinate.name);
  if (!out.empty()) out += "\n";
  out += wrap_words(join(page.laws, ",   "), "  ", "  ");
  out += wrap_words(join(names, ", "), "  q = ", "      ");
  out += "  Entries that are not listed are zero.\n";
  for (const Block& block : page.blocks) out += "\n" + block_text(block);
  return out;
}

std::string to_json(const EquationsPage& page) {
  Json json{{"title", page.model->title}, {"source", page.model->source}, {"laws", page.laws}};
  json["coordinates"] = Json::array();
  for (const Coordinate& coordinate : page.model->coordinates) json["coordinates"].push_back(coordinate.name);
  for (const Block& block : page.blocks) {
    Json entries = Json::array();
    for (const auto& entry : block.entries) entries.push_back(entry_json(block, entry));
    json["blocks"][block.symbol] = {{"meaning", block.meaning},
                                    {"rows", block.rows.names},
                                    {"columns", block.columns.names},
                                    {"entries", entries}};
  }
  return json.dump(2);
}

}  // namespace dalembert::session

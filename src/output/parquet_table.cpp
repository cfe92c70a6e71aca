#include "parquet_table.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include <dalembert/output/atomic_file.hpp>

#include "parquet_words.hpp"
#include "thrift.hpp"

namespace dalembert::parquet {
namespace {

constexpr std::size_t group_rows = 65'536;

template <class T>
void put_bytes(std::string& to, T value) {  // little-endian, as the machines are that this is built for
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& to, const std::string& text) {
  put_bytes(to, static_cast<std::uint32_t>(text.size()));
  to += text;
}

class ParquetTable : public TableWriter {
 public:
  ParquetTable(const std::filesystem::path& path, std::vector<TableColumn> columns, const std::string& remark)
      : file_(path), columns_(std::move(columns)) {
    columns_.push_back({.name = remark});
    pages_.resize(columns_.size());
    write(std::string(mark));
  }

  void add(std::span<const double> row, const std::string& remark) override {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (type_of(i) == Type::int64) {
        put_bytes(pages_[i], static_cast<std::int64_t>(row[i]));
      } else if (type_of(i) == Type::bytes) {
        put_text(pages_[i], columns_[i].words.at(static_cast<std::size_t>(row[i])));
      } else {
        put_bytes(pages_[i], row[i]);
      }
    }
    put_text(pages_.back(), remark);
    if (++filled_ == group_rows) write_group();
  }

  void add_curves(std::span<const double> /*numbers*/) override {}  // none: check_table_name()

  void finish(const TableRecord& record) override {
    if (filled_ > 0) write_group();
    std::string metadata = make_metadata(record);
    put_bytes(metadata, static_cast<std::uint32_t>(metadata.size()));
    write(metadata + std::string(mark));
    file_.commit();
  }

 private:
  struct Chunk {
    std::uint64_t place, bytes;  // with the page's head
  };
  struct Group {
    std::uint64_t rows;
    std::vector<Chunk> chunks;  // by column
  };

  Type type_of(std::size_t column) const {
    const bool is_text = column + 1 == columns_.size() || !columns_[column].words.empty();
    return column == 0 ? Type::int64 : is_text ? Type::bytes : Type::real;
  }

  void write(const std::string& text) {
    file_.write(text);
    written_ += text.size();
  }

  void write_group() {
    Group& group = groups_.emplace_back();
    group.rows = filled_;
    for (std::string& page : pages_) {
      const std::uint64_t place = written_;
      write(head_of(page.size()));
      write(page);
      group.chunks.push_back({place, written_ - place});
      page.clear();
    }
    rows_ += filled_;
    filled_ = 0;
  }

  std::string head_of(std::size_t bytes) const {
    thrift::Writer head;
    head.number32(page::type, data_page);
    head.number32(page::bytes, static_cast<std::int64_t>(bytes));
    head.number32(page::stored, static_cast<std::int64_t>(bytes));
    head.begin_structure(page::data);
    head.number32(page_data::values, static_cast<std::int64_t>(filled_));
    head.number32(page_data::encoding, plain);
    head.number32(page_data::definitions, levels);
    head.number32(page_data::repetitions, levels);
    head.end_structure();
    return head.take();
  }

  std::string make_metadata(const TableRecord& record) const {
    thrift::Writer to;
    to.number32(file::version, parquet::version);
    put_schema(to);
    to.number64(file::rows, static_cast<std::int64_t>(rows_));
    to.list_of_structures(file::groups, groups_.size());
    for (const Group& one : groups_) put_group(to, one);
    put_words(to, record);
    to.text(file::creator, "dalembert");
    return to.take();
  }

  void put_schema(thrift::Writer& to) const {
    to.list_of_structures(file::schema, columns_.size() + 1);
    to.begin_element();
    to.text(schema::name, "schema");
    to.number32(schema::children, static_cast<std::int64_t>(columns_.size()));
    to.end_structure();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      to.begin_element();
      to.number32(schema::type, type_of(i));
      to.number32(schema::repetition, required);
      to.text(schema::name, columns_[i].name);
      if (type_of(i) == Type::bytes) to.number32(schema::converted, utf8);
      to.end_structure();
    }
  }

  void put_group(thrift::Writer& to, const Group& one) const {
    std::uint64_t bytes = 0;
    for (const Chunk& chunk : one.chunks) bytes += chunk.bytes;
    to.begin_element();
    to.list_of_structures(group::columns, columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      to.begin_element();
      to.number64(chunk::place, static_cast<std::int64_t>(one.chunks[i].place));
      to.begin_structure(chunk::data);
      to.number32(data::type, type_of(i));
      to.list_of_numbers(data::encodings, 2);
      to.add_number(plain);
      to.add_number(levels);
      to.list_of_texts(data::path, 1);
      to.add_text(columns_[i].name);
      to.number32(data::codec, uncompressed);
      to.number64(data::values, static_cast<std::int64_t>(one.rows));
      to.number64(data::bytes, static_cast<std::int64_t>(one.chunks[i].bytes));
      to.number64(data::stored, static_cast<std::int64_t>(one.chunks[i].bytes));
      to.number64(data::page, static_cast<std::int64_t>(one.chunks[i].place));
      to.end_structure();
      to.end_structure();
    }
    to.number64(group::bytes, static_cast<std::int64_t>(bytes));
    to.number64(group::rows, static_cast<std::int64_t>(one.rows));
    to.end_structure();
  }

  void put_words(thrift::Writer& to, const TableRecord& record) const {
    nlohmann::ordered_json units = nlohmann::ordered_json::object(), kinds = units;
    for (const TableColumn& one : columns_) {
      if (!one.unit.empty()) units[one.name] = one.unit;
      if (!one.kind.empty()) kinds[one.name] = one.kind;
    }
    std::vector<std::pair<std::string, std::string>> words = record.texts;
    words.insert(words.end(), record.words.begin(), record.words.end());
    for (const auto& [name, count] : record.counts) words.emplace_back(name, std::to_string(count));
    words.emplace_back("units", units.dump());
    words.emplace_back("kinds", kinds.dump());
    to.list_of_structures(file::words, words.size());
    for (const auto& [key, value] : words) {
      to.begin_element();
      to.text(word::key, key);
      to.text(word::value, value);
      to.end_structure();
    }
  }

  AtomicFile file_;
  std::uint64_t written_ = 0;
  std::vector<TableColumn> columns_;  // and the remark
  std::vector<std::string> pages_;    // of the group to come, by column
  std::size_t filled_ = 0;            // rows in them
  std::uint64_t rows_ = 0;            // written
  std::vector<Group> groups_;
};

}  // namespace
}  // namespace dalembert::parquet

namespace dalembert {

std::unique_ptr<TableWriter> make_parquet_table(const std::filesystem::path& path,
                                                std::vector<TableColumn> columns, const std::string& remark) {
  return std::make_unique<parquet::ParquetTable>(path, std::move(columns), remark);
}

}  // namespace dalembert

#include "hdf5_table.hpp"

#include <dalembert/base/error.hpp>

#ifdef DALEMBERT_HDF5

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "chunk_filter.hpp"
#include "hdf5_curves.hpp"
#include "hdf5_target.hpp"

namespace dalembert {
namespace {

constexpr std::size_t chunk_rows = 4096;
constexpr std::size_t most_remarks = 100'000;  // that are kept, in memory until the end

class Hdf5Table : public TableWriter {
 public:
  Hdf5Table(const std::filesystem::path& path, std::vector<TableColumn> columns, std::string remark,
            TableCurves curves)
      : target_(path),
        columns_(std::move(columns)),
        remark_(std::move(remark)),
        buffer_(columns_.size() * chunk_rows) {
    h5_.tell_no_errors();
    for (const TableColumn& column : columns_) make_dataset(column);
    if (!curves.curves.empty()) curves_.emplace(target_, curves);
  }
  ~Hdf5Table() override {
    h5_.tell_no_errors();
    datasets_.clear();
    curves_.reset();
  }

  void add(std::span<const double> row, const std::string& remark) override {
    for (std::size_t i = 0; i < row.size(); ++i) buffer_[i * chunk_rows + filled_] = row[i];
    if (!remark.empty() && remarks_.size() < most_remarks) {
      remarked_.push_back(row[0]);
      remarks_.push_back(remark);
    }
    if (++filled_ == chunk_rows) write_chunks();
  }

  void add_curves(std::span<const double> numbers) override {
    if (curves_) curves_->add(numbers);
  }

  void finish(const TableRecord& record) override {
    require_memory_for_hdf5();
    write_chunks();
    datasets_.clear();
    if (curves_) curves_->finish();
    write_remarks();
    for (const auto& [name, text] : record.texts) target_.write_text(name.c_str(), text);
    for (const auto& [name, word] : record.words) target_.write_word(target_.file(), name.c_str(), word);
    for (const auto& [name, count] : record.counts) target_.write_count(target_.file(), name.c_str(), count);
    target_.commit();
  }

 private:
  void make_dataset(const TableColumn& column) {
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = chunk_rows;
    const Hdf5Handle space(target_.check(h5_.H5Screate_simple(1, &none, &unlimited)), h5_.H5Sclose);
    datasets_.push_back(make_hdf5_column(target_, column, space, {&chunk, 1}));
  }

  void write_chunks() {
    if (filled_ == 0) return;
    h5_.tell_no_errors();
    errno = 0;
    const hsize_t size = written_ + filled_, place = written_;
    for (std::size_t i = 0; i < datasets_.size(); ++i) {
      target_.check(h5_.H5Dset_extent(datasets_[i], &size));
      const std::span column(buffer_.data() + i * chunk_rows, chunk_rows);
      std::fill(column.begin() + static_cast<std::ptrdiff_t>(filled_), column.end(), 0.0);
      const std::span<const std::uint8_t> bytes = filter_.apply(column);
      constexpr std::uint32_t all_filters = 0;
      target_.check(
          h5_.H5Dwrite_chunk(datasets_[i], H5P_DEFAULT, all_filters, &place, bytes.size(), bytes.data()));
    }
    written_ += filled_;
    filled_ = 0;
  }

  // Which rows have one, and what it says.
  void write_remarks() const {
    const hsize_t count = remarks_.size();
    if (count == 0) return;
    const Hdf5Handle space(target_.check(h5_.H5Screate_simple(1, &count, nullptr)), h5_.H5Sclose);
    std::vector<const char*> pointers;
    for (const std::string& remark : remarks_) pointers.push_back(remark.c_str());
    target_.write_texts(remark_.c_str(), space, pointers.data());
    const Hdf5Handle id(target_.check(h5_.H5Dcreate2(
                            target_.file(), (remark_ + "_" + columns_[0].name).c_str(), *h5_.H5T_IEEE_F64LE_g,
                            space, H5P_DEFAULT, target_.creation(), H5P_DEFAULT)),
                        h5_.H5Dclose);
    target_.check(h5_.H5Dwrite(id, *h5_.H5T_NATIVE_DOUBLE_g, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                               static_cast<const void*>(remarked_.data())));
  }

  Hdf5Target target_;
  const Hdf5& h5_ = target_.h5;
  std::vector<TableColumn> columns_;
  std::string remark_;
  std::vector<Hdf5Handle> datasets_;
  std::optional<Hdf5Curves> curves_;
  std::vector<double> buffer_;  // column after column
  std::size_t filled_ = 0;      // rows in it
  hsize_t written_ = 0;
  ChunkFilter filter_;
  std::vector<double> remarked_;
  std::vector<std::string> remarks_;
};

}  // namespace

bool has_hdf5() { return true; }

std::unique_ptr<TableWriter> make_hdf5_table(const std::filesystem::path& path,
                                             std::vector<TableColumn> columns, const std::string& remark,
                                             TableCurves curves) {
  require_memory_for_hdf5();
  return std::make_unique<Hdf5Table>(path, std::move(columns), remark, std::move(curves));
}

std::string read_hdf5_text(const std::filesystem::path& path, const std::string& name) {
  require_memory_for_hdf5();
  const Hdf5& h5 = Hdf5::get();
  h5.tell_no_errors();
  constexpr unsigned read_only = 0;
  const Hdf5Handle file(h5.H5Fopen(path.c_str(), read_only, H5P_DEFAULT), h5.H5Fclose);
  if (file < 0) return "";
  const Hdf5Handle id(h5.H5Dopen2(file, name.c_str(), H5P_DEFAULT), h5.H5Dclose);
  if (id < 0) return "";
  const Hdf5Handle type(h5.H5Tcopy(*h5.H5T_C_S1_g), h5.H5Tclose);
  h5.H5Tset_size(type, H5T_VARIABLE);
  h5.H5Tset_cset(type, H5T_CSET_UTF8);
  char* found = nullptr;
  if (h5.H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<void*>(&found)) < 0 || found == nullptr)
    return "";
  std::string text(found);
  h5.H5free_memory(found);
  return text;
}

}  // namespace dalembert

#else

namespace dalembert {

bool has_hdf5() { return false; }

std::unique_ptr<TableWriter> make_hdf5_table(const std::filesystem::path&, std::vector<TableColumn>,
                                             const std::string&, TableCurves) {
  return nullptr;
}

std::string read_hdf5_text(const std::filesystem::path&, const std::string&) { return ""; }

}  // namespace dalembert

#endif

#include "hdf5_file.hpp"

#include <filesystem>
#include <memory>
#include <vector>

#include <dalembert/base/error.hpp>

#ifdef DALEMBERT_HDF5

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <string>
#include <utility>

#include "array_plan.hpp"
#include "chunk_filter.hpp"
#include "hdf5_target.hpp"
#include "run_json.hpp"

namespace dalembert {
namespace {

class Hdf5File : public ResultWriter {
 public:
  Hdf5File(const std::filesystem::path& path, const std::vector<Column>& columns)
      : target_(path), columns_(columns) {
    for (ArrayPlan& plan : plan_arrays(columns)) datasets_.push_back({std::move(plan), {}});
    // columns wait in 16 MB at most until their chunks are full; an odd number of cache lines apart, they do
    // not displace each other
    rows_ = std::clamp<std::size_t>(2'097'152 / columns.size(), 256, 8192) - 8;
    filter_ = std::make_unique<ChunkFilter>();
  }
  ~Hdf5File() override { close(); }

  void add(std::span<const double> row) override {
    if (!buffer_) buffer_.reset(new double[rows_ * row.size()]);  // short runs touch little of it
    for (std::size_t i = 0; i < row.size(); ++i) buffer_[i * rows_ + filled_] = row[i];
    if (++filled_ == rows_) write_chunks();
  }

  void finish(const RunRecord& record) override {
    write_chunks();
    require_memory_for_hdf5();
    target_.write_text("text", record.model->text);
    write_record(record);
    write_groups();
    datasets_.clear();
    target_.commit();
  }

 private:
  struct Dataset {
    ArrayPlan plan;
    Hdf5Handle id;  // since the first chunk is there

    int dimensions() const { return plan.name == "t" ? 1 : 2; }
  };

  hid_t check(hid_t id) const { return target_.check(id); }
  bool close() {
    h5_.tell_no_errors();
    datasets_.clear();
    return target_.close();
  }

  // A chunk is a piece of one column, which compresses better than several side by side.
  void make_dataset(Dataset& dataset) {
    const hsize_t width = dataset.plan.columns.count;
    const int dimensions = dataset.dimensions();
    const std::array<hsize_t, 2> none{0, width};
    const std::array<hsize_t, 2> unlimited{H5S_UNLIMITED, width};
    const std::array<hsize_t, 2> chunks{rows_, 1};
    const Hdf5Handle space(check(h5_.H5Screate_simple(dimensions, none.data(), unlimited.data())),
                           h5_.H5Sclose);
    const Hdf5Handle creation = target_.creation();
    check(h5_.H5Pset_chunk(creation, dimensions, chunks.data()));
    check(h5_.H5Pset_shuffle(creation));
    constexpr unsigned fast = 1;
    check(h5_.H5Pset_deflate(creation, fast));
    dataset.id =
        Hdf5Handle(check(h5_.H5Dcreate2(target_.file(), dataset.plan.name.c_str(), *h5_.H5T_IEEE_F64LE_g,
                                        space, H5P_DEFAULT, creation, H5P_DEFAULT)),
                   h5_.H5Dclose);
    target_.write_words(dataset.id, "names", dataset.plan.names(columns_));
    if (has_units(columns_)) target_.write_words(dataset.id, "units", dataset.plan.units(columns_));
  }

  void write_chunks() {
    require_memory_for_hdf5();
    h5_.tell_no_errors();
    errno = 0;
    if (datasets_.front().id < 0) {
      shorten_chunks();
      for (Dataset& dataset : datasets_) make_dataset(dataset);
    }
    if (filled_ == 0) return;
    for (const Dataset& dataset : datasets_) {
      const auto [first, width] = dataset.plan.columns;
      const std::array<hsize_t, 2> size{written_ + filled_, width};
      check(h5_.H5Dset_extent(dataset.id, size.data()));
      for (std::size_t i = 0; i < width; ++i) {
        const std::array<hsize_t, 2> place{written_, i};
        const std::span column(buffer_.get() + (first + i) * rows_, rows_);
        std::fill(column.begin() + static_cast<std::ptrdiff_t>(filled_), column.end(), 0.0);
        const std::span<const std::uint8_t> bytes = filter_->apply(column);
        constexpr std::uint32_t all_filters = 0;
        check(h5_.H5Dwrite_chunk(dataset.id, H5P_DEFAULT, all_filters, place.data(), bytes.size(),
                                 bytes.data()));
      }
    }
    written_ += filled_;
    filled_ = 0;
  }

  // A run that ends within its first chunks has some of its own length.
  void shorten_chunks() {
    const std::size_t rows = std::max<std::size_t>(filled_, 1);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      std::copy_n(buffer_.get() + i * rows_, filled_, buffer_.get() + i * rows);
    rows_ = rows;
  }

  // The same objects once more, by what they belong to.
  void write_groups() {
    std::vector<std::string> samples;
    for (const Dataset& dataset : datasets_) samples.push_back(dataset.plan.name);
    const std::vector<std::pair<const char*, std::vector<std::string>>> groups = {
        {"samples", samples}, {"model", {"text"}}, {"run", {"summary"}}};
    for (const auto& [name, members] : groups) {
      const Hdf5Handle group(
          check(h5_.H5Gcreate2(target_.file(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), h5_.H5Gclose);
      for (const std::string& member : members) {
        check(h5_.H5Lcreate_hard(target_.file(), member.c_str(), group, member.c_str(), H5P_DEFAULT,
                                 H5P_DEFAULT));
      }
    }
  }

  void write_record(const RunRecord& record) {
    const hid_t file = target_.file();
    const auto write_word = [&](const char* name, const std::string& word) {
      target_.write_word(file, name, word);
    };
    write_word("generator", record.generator);
    write_word("title", record.model->title);
    write_word("source", record.model->source);
    write_word("method", record.report.method);
    write_word("outcome", outcome_word(record.report.outcome));
    write_word("reason", record.report.reason);
    for (const auto& [name, value] : {std::pair{"start_time", record.report.start_time},
                                      {"end_time", record.report.end_time},
                                      {"seconds", record.report.seconds}}) {
      target_.write_attribute(file, name, *h5_.H5T_IEEE_F64LE_g, *h5_.H5T_NATIVE_DOUBLE_g, &value);
    }
    for (const auto& [name, value] :
         {std::pair<const char*, unsigned long long>{"steps", record.report.steps},
          {"samples", record.report.samples},
          {"partial", record.partial() ? 1 : 0},
          {"doubtful", record.doubtful() ? 1 : 0}}) {
      target_.write_count(file, name, value);
    }
    Json summary = to_json(record);
    summary.erase("text");
    target_.write_text("summary", dump(summary));
  }

  Hdf5Target target_;
  const Hdf5& h5_ = target_.h5;
  std::vector<Column> columns_;
  std::vector<Dataset> datasets_;
  std::size_t rows_ = 0;              // of a chunk
  std::unique_ptr<double[]> buffer_;  // column after column, room for a chunk of each
  std::size_t filled_ = 0;            // rows in it
  hsize_t written_ = 0;               // rows before it
  std::unique_ptr<ChunkFilter> filter_;
};

// The library and the file are made ready by another thread, which takes as long as a short run.
class Hdf5FileToCome : public ResultWriter {
 public:
  Hdf5FileToCome(const std::filesystem::path& path, const std::vector<Column>& columns) {
    require_memory_for_hdf5();
    AtomicFile(path, FileAccess::random);  // an unwritable place is told at once
    coming_ =
        std::async(std::launch::async, [path, columns] { return std::make_unique<Hdf5File>(path, columns); });
  }
  void add(std::span<const double> row) override { file().add(row); }
  void finish(const RunRecord& record) override { file().finish(record); }

 private:
  Hdf5File& file() {
    if (!file_) file_ = coming_.get();
    return *file_;
  }

  std::future<std::unique_ptr<Hdf5File>> coming_;
  std::unique_ptr<Hdf5File> file_;
};

}  // namespace

void prepare_hdf5() {
  require_memory_for_hdf5();
  Hdf5::get();
}

std::unique_ptr<ResultWriter> make_hdf5_file(const std::filesystem::path& path,
                                             const std::vector<Column>& columns) {
  return std::make_unique<Hdf5FileToCome>(path, columns);
}

}  // namespace dalembert

#else

namespace dalembert {

void prepare_hdf5() {}

std::unique_ptr<ResultWriter> make_hdf5_file(const std::filesystem::path& path, const std::vector<Column>&) {
  throw Error("this build cannot write " + path.string() +
              ": it was made without HDF5 (package libhdf5-dev)");
}

}  // namespace dalembert

#endif

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
#include <span>
#include <string>
#include <utility>

#include "array_plan.hpp"
#include "hdf5_library.hpp"
#include "run_json.hpp"

namespace dalembert {
namespace {

// An identifier of the library, closed at the end of its life.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }
  operator hid_t() const { return id_; }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

constexpr unsigned truncate = 0x0002U;  // H5F_ACC_TRUNC without the calls that its macro makes

class Hdf5File : public ResultWriter {
 public:
  Hdf5File(const std::filesystem::path& path, const std::vector<Column>& columns)
      : place_(path), columns_(columns) {
    const Handle access(h5_.H5Pcreate(*h5_.H5P_CLS_FILE_ACCESS_ID_g), h5_.H5Pclose);
    h5_.H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    errno = 0;
    file_ = Handle(h5_.H5Fcreate(place_.temporary().c_str(), truncate, H5P_DEFAULT, access), h5_.H5Fclose);
    if (file_ < 0) place_.fail("create");
    for (const ArrayPlan& plan : plan_arrays(columns)) {
      const hsize_t chunk = std::clamp<hsize_t>(32768 / plan.columns.count, 64, 8192);
      datasets_.push_back({plan, chunk, {}, 0, {}});
    }
  }
  ~Hdf5File() override { close(); }

  void add(std::span<const double> row) override {
    for (Dataset& dataset : datasets_) {
      const std::span<const double> part =
          row.subspan(dataset.plan.columns.first, dataset.plan.columns.count);
      dataset.buffer.insert(dataset.buffer.end(), part.begin(), part.end());
      if (dataset.buffer.size() == dataset.chunk * part.size()) append(dataset);
    }
  }

  void finish(const RunRecord& record) override {
    for (Dataset& dataset : datasets_) append(dataset);
    write_text("text", record.model->text);
    write_record(record);
    errno = 0;
    if (h5_.H5Fflush(file_, H5F_SCOPE_LOCAL) < 0 || !close()) place_.fail("write");
    place_.commit();
  }

 private:
  struct Dataset {
    ArrayPlan plan;
    hsize_t chunk;
    Handle id;  // since the first chunk is there
    hsize_t written;
    std::vector<double> buffer;

    int dimensions() const { return plan.name == "t" ? 1 : 2; }
  };

  hid_t check(hid_t id) const {
    if (id < 0) place_.fail("write");
    return id;
  }
  bool close() {
    datasets_.clear();
    return file_.close();
  }

  // A run that ends within its first chunk has one of its own length: the library compresses whole chunks.
  void make_dataset(Dataset& dataset) {
    const hsize_t width = dataset.plan.columns.count;
    const hsize_t chunk = std::clamp<hsize_t>(dataset.buffer.size() / width, 1, dataset.chunk);
    const int dimensions = dataset.dimensions();
    const std::array<hsize_t, 2> none{0, width};
    const std::array<hsize_t, 2> unlimited{H5S_UNLIMITED, width};
    const std::array<hsize_t, 2> chunks{chunk, width};
    const Handle space(check(h5_.H5Screate_simple(dimensions, none.data(), unlimited.data())), h5_.H5Sclose);
    const Handle creation(check(h5_.H5Pcreate(*h5_.H5P_CLS_DATASET_CREATE_ID_g)), h5_.H5Pclose);
    check(h5_.H5Pset_chunk(creation, dimensions, chunks.data()));
    check(h5_.H5Pset_shuffle(creation));
    constexpr unsigned fast = 1;
    check(h5_.H5Pset_deflate(creation, fast));
    dataset.id = Handle(check(h5_.H5Dcreate2(file_, dataset.plan.name.c_str(), *h5_.H5T_IEEE_F64LE_g, space,
                                             H5P_DEFAULT, creation, H5P_DEFAULT)),
                        h5_.H5Dclose);
    write_names(dataset.id, dataset.plan.names(columns_));
  }

  void append(Dataset& dataset) {
    const hsize_t width = dataset.plan.columns.count;
    const hsize_t count = dataset.buffer.size() / width;
    errno = 0;
    if (dataset.id < 0) make_dataset(dataset);
    if (count == 0) return;
    const std::array<hsize_t, 2> size{dataset.written + count, width};
    const std::array<hsize_t, 2> begin{dataset.written, 0};
    const std::array<hsize_t, 2> block{count, width};
    check(h5_.H5Dset_extent(dataset.id, size.data()));
    const Handle target(check(h5_.H5Dget_space(dataset.id)), h5_.H5Sclose);
    check(h5_.H5Sselect_hyperslab(target, H5S_SELECT_SET, begin.data(), nullptr, block.data(), nullptr));
    const Handle source(check(h5_.H5Screate_simple(dataset.dimensions(), block.data(), nullptr)),
                        h5_.H5Sclose);
    check(h5_.H5Dwrite(dataset.id, *h5_.H5T_NATIVE_DOUBLE_g, source, target, H5P_DEFAULT,
                       dataset.buffer.data()));
    dataset.written += count;
    dataset.buffer.clear();
  }

  Handle text_type() const {
    Handle type(h5_.H5Tcopy(*h5_.H5T_C_S1_g), h5_.H5Tclose);
    h5_.H5Tset_size(type, H5T_VARIABLE);
    h5_.H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }

  void write_names(hid_t object, const std::vector<std::string>& names) {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    const hsize_t count = names.size();
    const Handle type = text_type();
    const Handle space(check(h5_.H5Screate_simple(1, &count, nullptr)), h5_.H5Sclose);
    const Handle attribute(check(h5_.H5Acreate2(object, "names", type, space, H5P_DEFAULT, H5P_DEFAULT)),
                           h5_.H5Aclose);
    check(h5_.H5Awrite(attribute, type, static_cast<const void*>(pointers.data())));
  }

  // A dataset of its own: attributes are limited to 64 kB.
  void write_text(const char* name, const std::string& text) {
    const Handle type = text_type();
    const Handle space(check(h5_.H5Screate(H5S_SCALAR)), h5_.H5Sclose);
    const Handle id(check(h5_.H5Dcreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
                    h5_.H5Dclose);
    const char* pointer = text.c_str();
    check(h5_.H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<const void*>(&pointer)));
  }

  template <class T>
  void write_attribute(const char* name, hid_t stored, hid_t memory, const T* value) {
    const Handle space(check(h5_.H5Screate(H5S_SCALAR)), h5_.H5Sclose);
    const Handle attribute(check(h5_.H5Acreate2(file_, name, stored, space, H5P_DEFAULT, H5P_DEFAULT)),
                           h5_.H5Aclose);
    check(h5_.H5Awrite(attribute, memory, static_cast<const void*>(value)));
  }

  void write_record(const RunRecord& record) {
    const Handle text = text_type();
    const auto write_word = [&](const char* name, const std::string& word) {
      const char* pointer = word.c_str();
      write_attribute(name, text, text, &pointer);
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
      write_attribute(name, *h5_.H5T_IEEE_F64LE_g, *h5_.H5T_NATIVE_DOUBLE_g, &value);
    }
    for (const auto& [name, value] :
         {std::pair<const char*, unsigned long long>{"steps", record.report.steps},
          {"samples", record.report.samples},
          {"partial", record.partial() ? 1 : 0}}) {
      write_attribute(name, *h5_.H5T_STD_U64LE_g, *h5_.H5T_NATIVE_ULLONG_g, &value);
    }
    Json summary = to_json(record);
    summary.erase("text");
    write_text("summary", dump(summary));
  }

  const Hdf5& h5_ = Hdf5::get();
  AtomicPlace place_;
  std::vector<Column> columns_;
  Handle file_;
  std::vector<Dataset> datasets_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_hdf5_file(const std::filesystem::path& path,
                                             const std::vector<Column>& columns) {
  return std::make_unique<Hdf5File>(path, columns);
}

}  // namespace dalembert

#else

namespace dalembert {

std::unique_ptr<ResultWriter> make_hdf5_file(const std::filesystem::path& path, const std::vector<Column>&) {
  throw Error("this build cannot write " + path.string() +
              ": it was made without HDF5 (package libhdf5-dev)");
}

}  // namespace dalembert

#endif

// An HDF5 file that is being written, with the texts and attributes in it.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>

#include "hdf5_library.hpp"

namespace dalembert {

/// An identifier of the library, closed at the end of its life.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }
  operator hid_t() const { return id_; }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// HDF5 reads through null pointers where it finds no memory, so that is asked for before. From 30 to 60 MB
/// of address space in all, its runs ended so; it takes less than this.
inline void require_memory_for_hdf5() {
  constexpr std::size_t enough = std::size_t{40} << 20U;
  const std::unique_ptr<void, decltype(&std::free)> room(std::malloc(enough), std::free);  // never touched
  if (!room) throw OutputError("not enough memory for HDF5; other formats need less");
}

class Hdf5Target {
 public:
  explicit Hdf5Target(const std::filesystem::path& path) : place_(path) {
    constexpr unsigned truncate = 0x0002U;  // H5F_ACC_TRUNC without the calls that its macro makes
    const Hdf5Handle access(h5.H5Pcreate(*h5.H5P_CLS_FILE_ACCESS_ID_g), h5.H5Pclose);
    h5.H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    ::close(place_.create());  // with its rights
    errno = 0;
    file_ = Hdf5Handle(h5.H5Fcreate(place_.temporary().c_str(), truncate, H5P_DEFAULT, access), h5.H5Fclose);
    if (file_ < 0) place_.fail("create");
  }

  const Hdf5& h5 = Hdf5::get();
  hid_t file() const { return file_; }
  hid_t check(hid_t id) const {
    if (id < 0) place_.fail("write");
    return id;
  }
  bool close() { return file_.close(); }
  /// Makes the file appear.
  void commit() {
    errno = 0;
    if (h5.H5Fflush(file_, H5F_SCOPE_LOCAL) < 0 || !close()) place_.fail("write");
    place_.commit();
  }

  /// How datasets are made: without the time of day, so that the same content is the same file.
  Hdf5Handle creation() const {
    Hdf5Handle list(check(h5.H5Pcreate(*h5.H5P_CLS_DATASET_CREATE_ID_g)), h5.H5Pclose);
    check(h5.H5Pset_obj_track_times(list, false));
    return list;
  }

  Hdf5Handle text_type() const {
    Hdf5Handle type(h5.H5Tcopy(*h5.H5T_C_S1_g), h5.H5Tclose);
    h5.H5Tset_size(type, H5T_VARIABLE);
    h5.H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }

  void write_words(hid_t object, const char* attribute_name, const std::vector<std::string>& names) const {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    const hsize_t count = names.size();
    const Hdf5Handle type = text_type();
    const Hdf5Handle space(check(h5.H5Screate_simple(1, &count, nullptr)), h5.H5Sclose);
    const Hdf5Handle attribute(
        check(h5.H5Acreate2(object, attribute_name, type, space, H5P_DEFAULT, H5P_DEFAULT)), h5.H5Aclose);
    check(h5.H5Awrite(attribute, type, static_cast<const void*>(pointers.data())));
  }

  /// A dataset of its own: attributes are limited to 64 kB.
  void write_text(const char* name, const std::string& text) const {
    const char* pointer = text.c_str();
    write_texts(name, Hdf5Handle(check(h5.H5Screate(H5S_SCALAR)), h5.H5Sclose), &pointer);
  }
  void write_texts(const char* name, const Hdf5Handle& space, const char* const* texts) const {
    const Hdf5Handle type = text_type();
    const Hdf5Handle id(check(h5.H5Dcreate2(file_, name, type, space, H5P_DEFAULT, creation(), H5P_DEFAULT)),
                        h5.H5Dclose);
    // pointers are converted; without a word HDF5 clears 2 MB for one
    const Hdf5Handle transfer(check(h5.H5Pcreate(*h5.H5P_CLS_DATASET_XFER_ID_g)), h5.H5Pclose);
    check(h5.H5Pset_buffer(transfer, 256, nullptr, nullptr));
    check(h5.H5Dwrite(id, type, H5S_ALL, H5S_ALL, transfer, static_cast<const void*>(texts)));
  }

  template <class T>
  void write_attribute(hid_t object, const char* name, hid_t stored, hid_t memory, const T* value) const {
    const Hdf5Handle space(check(h5.H5Screate(H5S_SCALAR)), h5.H5Sclose);
    const Hdf5Handle attribute(check(h5.H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT)),
                               h5.H5Aclose);
    check(h5.H5Awrite(attribute, memory, static_cast<const void*>(value)));
  }
  void write_word(hid_t object, const char* name, const std::string& word) const {
    const Hdf5Handle text = text_type();
    const char* pointer = word.c_str();
    write_attribute(object, name, text, text, &pointer);
  }
  void write_count(hid_t object, const char* name, unsigned long long value) const {
    write_attribute(object, name, *h5.H5T_STD_U64LE_g, *h5.H5T_NATIVE_ULLONG_g, &value);
  }

 private:
  AtomicPlace place_;
  Hdf5Handle file_;
};

}  // namespace dalembert

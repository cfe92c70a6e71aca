// Curves of the rows of a table, each kind a dataset of rows × points in HDF5; memory holds one chunk of
// rows.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/output/table_file.hpp>

#include "chunk_filter.hpp"
#include "hdf5_target.hpp"

namespace dalembert {

/// An empty dataset of doubles with the name, kind and unit of a column; a slash would separate groups.
inline Hdf5Handle make_hdf5_column(const Hdf5Target& target, const TableColumn& column, hid_t space,
                                   std::span<const hsize_t> chunk) {
  const Hdf5& h5 = target.h5;
  const Hdf5Handle creation = target.creation();
  target.check(h5.H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
  target.check(h5.H5Pset_shuffle(creation));
  constexpr unsigned fast = 1;
  target.check(h5.H5Pset_deflate(creation, fast));
  std::string name = column.name;
  std::ranges::replace(name, '/', ':');
  Hdf5Handle id(target.check(h5.H5Dcreate2(target.file(), name.c_str(), *h5.H5T_IEEE_F64LE_g, space,
                                           H5P_DEFAULT, creation, H5P_DEFAULT)),
                h5.H5Dclose);
  target.write_word(id, "name", column.name);
  target.write_word(id, "kind", column.kind);
  if (!column.unit.empty()) target.write_word(id, "unit", column.unit);
  if (!column.words.empty()) target.write_words(id, "words", column.words);
  return id;
}

class Hdf5Curves {
 public:
  Hdf5Curves(const Hdf5Target& target, const TableCurves& curves)
      : target_(target),
        points_(curves.points.size()),
        chunk_points_(std::min<std::size_t>(points_, numbers_of_chunk)),
        chunk_rows_(std::max<std::size_t>(numbers_of_chunk / points_, 1)),
        buffer_(curves.curves.size() * chunk_rows_ * points_),
        chunk_(chunk_rows_ * chunk_points_) {
    write_axis(curves);
    const std::array<hsize_t, 2> none{0, points_}, unlimited{H5S_UNLIMITED, points_};
    const std::array<hsize_t, 2> chunk{chunk_rows_, chunk_points_};
    const Hdf5Handle space(target_.check(h5_.H5Screate_simple(2, none.data(), unlimited.data())),
                           h5_.H5Sclose);
    for (const TableColumn& curve : curves.curves)
      datasets_.push_back(make_hdf5_column(target_, curve, space, chunk));
  }

  /// Of the next row: [curve][point].
  void add(std::span<const double> numbers) {
    for (std::size_t i = 0; i < datasets_.size(); ++i) {
      std::ranges::copy(numbers.subspan(i * points_, points_),
                        buffer_.begin() + static_cast<std::ptrdiff_t>((i * chunk_rows_ + filled_) * points_));
    }
    if (++filled_ == chunk_rows_) write_rows();
  }
  void finish() {
    write_rows();
    datasets_.clear();
  }

 private:
  static constexpr std::size_t numbers_of_chunk = 8192;

  void write_axis(const TableCurves& curves) {
    const hsize_t count = points_;
    const Hdf5Handle space(target_.check(h5_.H5Screate_simple(1, &count, nullptr)), h5_.H5Sclose);
    const Hdf5Handle id = make_hdf5_column(target_, curves.axis, space, {&count, 1});
    target_.check(h5_.H5Dwrite(id, *h5_.H5T_NATIVE_DOUBLE_g, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                               static_cast<const void*>(curves.points.data())));
  }

  void write_rows() {
    if (filled_ == 0) return;
    h5_.tell_no_errors();
    errno = 0;
    const std::array<hsize_t, 2> size{written_ + filled_, points_};
    for (std::size_t i = 0; i < datasets_.size(); ++i) {
      target_.check(h5_.H5Dset_extent(datasets_[i], size.data()));
      for (std::size_t point = 0; point < points_; point += chunk_points_) write_chunk(i, point);
    }
    written_ += filled_;
    filled_ = 0;
  }

  // Filled up with zeros at the edges.
  void write_chunk(std::size_t curve, std::size_t point) {
    const std::size_t count = std::min(chunk_points_, points_ - point);
    std::ranges::fill(chunk_, 0.0);
    for (std::size_t row = 0; row < filled_; ++row) {
      std::copy_n(
          buffer_.begin() + static_cast<std::ptrdiff_t>((curve * chunk_rows_ + row) * points_ + point), count,
          chunk_.begin() + static_cast<std::ptrdiff_t>(row * chunk_points_));
    }
    const std::span<const std::uint8_t> bytes = filter_.apply(chunk_);
    const std::array<hsize_t, 2> place{written_, point};
    constexpr std::uint32_t all_filters = 0;
    target_.check(h5_.H5Dwrite_chunk(datasets_[curve], H5P_DEFAULT, all_filters, place.data(), bytes.size(),
                                     bytes.data()));
  }

  const Hdf5Target& target_;
  const Hdf5& h5_ = target_.h5;
  std::size_t points_, chunk_points_, chunk_rows_;
  std::vector<Hdf5Handle> datasets_;
  std::vector<double> buffer_;  // [curve][row][point]
  std::vector<double> chunk_;
  std::size_t filled_ = 0;  // rows in the buffer
  hsize_t written_ = 0;     // rows before it
  ChunkFilter filter_;
};

}  // namespace dalembert

// HDF5: one chunked, compressed dataset per group of columns, written as the run goes on; memory does not
// grow with it.
//
//   /t (N)   /q /v /a /lam /force /outputs /energies /g /gv (N × columns), attribute `names`
//   /text: the model as written   attributes of /: title, source, outcome, partial, counters, summary (JSON)
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <dalembert/output/result_writer.hpp>

namespace dalembert {

/// Loads the library; another thread may do it.
void prepare_hdf5();
/// Throws Error when the build has no HDF5.
std::unique_ptr<ResultWriter> make_hdf5_file(const std::filesystem::path& path,
                                             const std::vector<Column>& columns);

}  // namespace dalembert

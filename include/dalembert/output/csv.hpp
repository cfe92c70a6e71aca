// Comma-separated values: a header with the columns' names, then a line per sample; numbers read back
// exactly.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/expr/scalar.hpp>
#include <dalembert/model/model.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

class CsvWriter {
 public:
  using Write = std::function<void(std::string_view)>;

  /// Writes the header. `digits` is for samples in Real.
  CsvWriter(const ModelData& model, Write write, int digits = 17);

  void add(const Sample<double>& sample);
  void add(const Sample<Real>& sample);
  /// Hands over what is still in the buffer.
  void flush();

 private:
  void end_line();

  Write write_;
  int digits_;
  std::string buffer_;
  std::vector<double> row_;
  std::vector<Real> row_digits_;
};

}  // namespace dalembert

#include <utility>

#include <dalembert/linalg/pattern_lu.hpp>

namespace dalembert {
namespace {

bool has_short_list(const SparseLu& sparse) {
  const auto size = static_cast<double>(sparse.size());
  return sparse.size() <= policy::largest_sparse_list &&
         sparse.expected_fill() <= policy::most_list_fill * size;
}

}  // namespace

PatternLu::PatternLu(std::size_t size, std::vector<StaticLu::Place> pattern,
                     std::vector<StaticLu::Source> sources, double smallest_pivot)
    : smallest_pivot_(smallest_pivot) {
  if (size > policy::largest_full_list) sparse_.emplace(size, pattern);
  if (sparse_ && !has_short_list(*sparse_)) {
    sources_ = std::move(sources);
  } else {
    sparse_.reset();
    list_.emplace(size, std::move(pattern), std::move(sources));
  }
}

bool PatternLu::factor_sparse(std::span<const double> numbers) {
  for (std::size_t k = 0; k < sources_.size(); ++k)
    sparse_->set(k, sources_[k].coefficient * numbers[sources_[k].index]);
  return sparse_->factor(smallest_pivot_);
}

}  // namespace dalembert

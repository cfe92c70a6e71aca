// Time as an unevaluated sum high + low, so that 10^6 additions of a step lose nothing.
#pragma once

namespace dalembert {

template <class S>
struct Clock {
  S high, low;
  void add(const S& h) {
    const S addend = h + low;
    const S sum = high + addend;
    low = addend - (sum - high);
    high = sum;
  }
};

}  // namespace dalembert

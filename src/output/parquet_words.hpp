// Numbers of Parquet's metadata that are written and read here.
#pragma once

#include <string_view>

namespace dalembert::parquet {

inline constexpr std::string_view mark = "PAR1";

enum Type { int64 = 2, real = 5, bytes = 6 };  // real: double

inline constexpr int version = 1, required = 0, utf8 = 0, data_page = 0;
inline constexpr int plain = 0, levels = 3;  // encodings
inline constexpr int uncompressed = 0;

// fields of structures
namespace file {
enum { version = 1, schema, rows, groups, words, creator };
}
namespace schema {
enum { type = 1, repetition = 3, name, children, converted };
}
namespace group {
enum { columns = 1, bytes, rows };
}
namespace chunk {
enum { place = 2, data };
}
namespace data {
enum { type = 1, encodings, path, codec, values, bytes, stored, page = 9 };
}
namespace page {
enum { type = 1, bytes, stored, data = 5 };
}
namespace page_data {
enum { values = 1, encoding, definitions, repetitions };
}
namespace word {
enum { key = 1, value };
}

}  // namespace dalembert::parquet

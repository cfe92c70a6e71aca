// What is used of FreeType, loaded on demand.
#pragma once

#include <ft2build.h>
#include FT_FREETYPE_H

#include "shared_library.hpp"

namespace dalembert {

#define DALEMBERT_FREETYPE_FUNCTIONS(each)                                               \
  each(FT_Init_FreeType) each(FT_Done_FreeType) each(FT_New_Face) each(FT_Set_Char_Size) \
      each(FT_Set_Transform) each(FT_Load_Char)

struct FreeType {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define DALEMBERT_DECLARE(name) decltype(&::name) name = nullptr;
  DALEMBERT_FREETYPE_FUNCTIONS(DALEMBERT_DECLARE)
#undef DALEMBERT_DECLARE

  static const FreeType& get() {
    static const FreeType library;
    return library;
  }

 private:
  FreeType() {
    const SharedLibrary library(DALEMBERT_FREETYPE);
#define DALEMBERT_FIND(name) library.find(#name, name);
    DALEMBERT_FREETYPE_FUNCTIONS(DALEMBERT_FIND)
#undef DALEMBERT_FIND
  }
};

}  // namespace dalembert

// What is used of Cairo and of the libraries it brings with it, loaded on demand.
#pragma once

#include <cairo-ft.h>
#include <cairo.h>
#include <zlib.h>

#include "shared_library.hpp"

namespace dalembert {

#define DALEMBERT_CAIRO_FUNCTIONS(each)                                                                  \
  each(cairo_image_surface_create) each(cairo_create) each(cairo_destroy) each(cairo_surface_destroy)    \
      each(cairo_scale) each(cairo_set_source_rgb) each(cairo_paint) each(cairo_select_font_face)        \
          each(cairo_set_font_size) each(cairo_text_extents) each(cairo_save) each(cairo_restore)        \
              each(cairo_translate) each(cairo_rotate) each(cairo_move_to) each(cairo_show_text)         \
                  each(cairo_new_path) each(cairo_rectangle) each(cairo_clip) each(cairo_arc)            \
                      each(cairo_fill) each(cairo_surface_flush) each(cairo_surface_mark_dirty)          \
                          each(cairo_image_surface_get_data) each(cairo_image_surface_get_stride)        \
                              each(cairo_image_surface_get_width) each(cairo_image_surface_get_height)   \
                                  each(cairo_surface_status) each(cairo_set_font_face)                   \
                                      each(cairo_ft_font_face_create_for_ft_face) each(FT_Init_FreeType) \
                                          each(FT_New_Face) each(crc32)

struct Cairo {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define DALEMBERT_DECLARE(name) decltype(&::name) name = nullptr;
  DALEMBERT_CAIRO_FUNCTIONS(DALEMBERT_DECLARE)
#undef DALEMBERT_DECLARE

  static const Cairo& get() {
    static const Cairo library;
    return library;
  }

 private:
  Cairo() {
    const SharedLibrary library(DALEMBERT_CAIRO);
#define DALEMBERT_FIND(name) library.find(#name, name);
    DALEMBERT_CAIRO_FUNCTIONS(DALEMBERT_FIND)
#undef DALEMBERT_FIND
  }
};

}  // namespace dalembert

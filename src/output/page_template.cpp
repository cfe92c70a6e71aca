#include "page_template.hpp"

#include <string_view>

#ifdef DALEMBERT_PAGE
// clang-format off
__asm__(
    ".pushsection .rodata\n"
    ".global dalembert_page_begin\n"
    ".global dalembert_page_end\n"
    "dalembert_page_begin:\n"
    ".incbin \"" DALEMBERT_PAGE "\"\n"
    "dalembert_page_end:\n"
    ".byte 0\n"
    ".popsection\n");
// clang-format on

extern "C" const char dalembert_page_begin[];
extern "C" const char dalembert_page_end[];
#endif

namespace dalembert {

std::string_view page_template() {
#ifdef DALEMBERT_PAGE
  return {dalembert_page_begin, dalembert_page_end};
#else
  return {};
#endif
}

}  // namespace dalembert

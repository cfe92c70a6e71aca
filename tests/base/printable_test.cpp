#include <string>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>

namespace dalembert {
namespace {

TEST(Printable, KeepsLettersOfAllScripts) {
  for (const char* text : {"Pendulum", "Kurbel für Öl", "маятник", "振り子", "θ̈ = −g/l·sin θ", "🙂"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1B[31mred\a\x7F"), "?[31mred??");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "?31m");  // the C1 form of ESC [
  EXPECT_EQ(printable("a\rb"), "a?b");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
}

TEST(Printable, ReplacesMarksThatTurnOrHideText) {
  EXPECT_EQ(printable("a\u202Eb\u2066c\u200Fd\u061Ce\u2028f\uFEFFg\u200Bh"), "a?b?c?d?e?f?g?h");
}

TEST(Printable, ReplacesEachByteThatIsNoUtf8) {
  EXPECT_EQ(printable("f\xFCr"), "f?r");
  EXPECT_EQ(printable("\xC0\xAF"), "??");            // '/' in two bytes
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");       // half of a pair of UTF-16
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????");  // beyond Unicode
  EXPECT_EQ(printable("\xE2\x82"), "??");            // cut off
}

TEST(Printable, LineBreaksAndTabsAreSpacesUnlessKept) {
  EXPECT_EQ(printable("one\ntwo\tthree"), "one two three");
  EXPECT_EQ(printable("one\ntwo\tthree", LineBreaks::keep), "one\ntwo three");
}

TEST(Error, ShowsNothingThatATerminalWouldObey) {
  const Error error("unknown '\x1B[2J'", {"a\x1B]0;x\a.toml", 1, 5}, caret_excerpt("k = \x1B[2J\u202E!", 5));
  EXPECT_STREQ(error.what(), "a?]0;x?.toml:1:5: error: unknown '?[2J'\n  k = ?[2J?!\n      ^");
  EXPECT_EQ(error.message(), "unknown '?[2J'");
}

}  // namespace
}  // namespace dalembert

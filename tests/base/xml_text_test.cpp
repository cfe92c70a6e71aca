#include <gtest/gtest.h>

#include <dalembert/base/xml_text.hpp>

namespace dalembert {
namespace {

TEST(XmlText, HasEntitiesForWhatXmlReadsOtherwise) {
  EXPECT_EQ(xml_text("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
}

TEST(XmlText, HasSpacesForControlCharactersAndKeepsAllElse) {
  EXPECT_EQ(xml_text("a\n\x01"
                     "b"),
            "a  b");
  EXPECT_EQ(xml_text("θ₁ 'x'"), "θ₁ 'x'");
}

}  // namespace
}  // namespace dalembert

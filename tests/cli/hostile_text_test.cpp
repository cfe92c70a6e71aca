// Texts of a model that a terminal, LaTeX or a picture would obey are shown, not obeyed.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;
using test::read_file;
using test::TemporaryFolder;
using testing::IsSubstring;

const std::string model_text =
    "title = \"A\\n\\\\end{document} \\u001B[31mred\\u0007 \\u009B2J \\u202Eleft <b>&amp;\"\n"
    "source = \"B\\r\\n\\u001B]0;owned\\u0007\"\n"
    "[coordinates]\nx = { position = 1, velocity = 0 }\ny = { position = 0, velocity = 1 }\n"
    "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[constraints]\nholonomic = [\"x^2 + y^2 = 1\"]\n"
    "[solve]\nduration = 0.1\n";

void expect_harmless(const std::string& text, const std::string& where) {
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    ASSERT_TRUE(code >= 0x20 || c == '\n') << "byte " << int{code} << " of " << where << "\n" << text;
  }
  EXPECT_EQ(text.find("\u009B"), std::string::npos) << where;
  EXPECT_EQ(text.find("\u202E"), std::string::npos) << where;
}

TEST(HostileText, ReachesNoOutputOfAnyCommand) {
  const TemporaryFolder folder;
  const std::string model = folder.write("bad\x1B[31m\n.toml", model_text).string();
  for (const char* call : {"check", "equations", "equations --latex", "equations --json", "series",
                           "series --latex", "run -o none", "run --json", "models show --json",
                           "compare --methods adomian --tolerances 1e-6 --digits 0"}) {
    const Finished run = dalembert(std::string(call) + " '" + model + "'");
    EXPECT_EQ(run.status, 0) << call << run.messages;
    expect_harmless(run.output, call);
    expect_harmless(run.messages, call);
  }
}

TEST(HostileText, ATitleOfSeveralLinesStaysInItsComment) {
  const TemporaryFolder folder;
  const std::string model = folder.write("bad.toml", model_text).string();
  const std::string latex = dalembert("equations --latex '" + model + "'").output;
  const std::size_t found = latex.find("\\end{document}");
  ASSERT_NE(found, std::string::npos);
  EXPECT_EQ(latex[latex.rfind('\n', found) + 1], '%');
}

TEST(HostileText, ReachesNoFile) {
  const TemporaryFolder folder;
  const std::string model = folder.write("bad.toml", model_text).string();
  const std::string stem = (folder.path() / "x").string();
  const Finished run = dalembert("run '" + model + "' --max-steps 1 -o " + stem + ".csv -o " + stem +
                                 ".json --plot " + stem + ".svg");
  EXPECT_EQ(run.status, 2) << run.messages;
  for (const char* suffix : {".csv", ".svg"}) expect_harmless(read_file(stem + suffix), suffix);
  EXPECT_PRED_FORMAT2(IsSubstring, "&lt;b&gt;&amp;amp;", read_file(stem + ".svg"));
  const std::string title = nlohmann::json::parse(read_file(stem + ".json")).at("title");
  EXPECT_EQ(title, "A \\end{document} ?[31mred? ?2J ?left <b>&amp;");
}

TEST(HostileText, ReachesNoMessage) {
  const TemporaryFolder folder;
  const std::string file = folder.write("bad\x1B[2J.toml", "t\xC2\x9Bitle = 1\n").string();
  for (const std::string& call :
       {"check '" + file + "'", std::string("check 'no\x1B[2Jsuch'"),
        std::string("check pendulum '--\x1B[2J'"), std::string("check pendulum --set '\x1B[2J=1'"),
        std::string("run pendulum --method '\xC2\x9B'"), std::string("run pendulum --columns '\x1B[2J'"),
        std::string("run pendulum -o '\x1B[2J'"), std::string("'\x1B[2J'")}) {
    const Finished run = dalembert(call);
    EXPECT_EQ(run.status, 1) << call;
    EXPECT_FALSE(run.messages.empty());
    expect_harmless(run.messages, call);
  }
}

}  // namespace
}  // namespace dalembert

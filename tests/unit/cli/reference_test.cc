// The pages and scripts that are made from the flag definitions.
#include "neardup/cli/reference.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "neardup/cli/completion.h"
#include "neardup/cli/help_text.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

class Reference : public testing::Test {
 protected:
  Reference() { add_commands(line_); }
  [[nodiscard]] std::vector<FlagDoc> all_flags() const {
    std::vector<FlagDoc> flags = describe_root(line_);
    for (const CommandDoc& doc : describe_all(line_)) {
      for (const FlagDoc& flag : shown_flags(doc)) flags.push_back(flag);
    }
    return flags;
  }
  CommandLine line_;
};

TEST_F(Reference, EveryFlagAndCommandHasHelp) {
  for (const CommandDoc& doc : describe_all(line_)) {
    EXPECT_FALSE(doc.text.summary.empty()) << doc.text.name;
    EXPECT_TRUE(doc.text.sentence.ends_with('.')) << doc.text.name;
    EXPECT_FALSE(doc.text.examples.empty()) << doc.text.name;
    for (const Example& example : doc.text.examples)
      EXPECT_NE(example.line.find("neardup " + doc.text.name), std::string::npos);
    for (const FlagGroupDoc& group : doc.groups) {
      for (const FlagDoc& flag : group.flags) {
        EXPECT_GT(flag.help.size(), 8u) << doc.text.name << " " << flag.heading();
        EXPECT_FALSE(flag.help.ends_with('.')) << doc.text.name << " " << flag.heading();
      }
    }
    for (const FlagDoc& flag : doc.hidden) EXPECT_FALSE(flag.help.empty()) << flag.heading();
  }
}

TEST_F(Reference, HelpFitsTheTerminal) {
  for (const int columns : {60, 80, 100}) {
    for (const CommandDoc& doc : describe_all(line_)) {
      const std::string help = command_help(doc, {columns, false});
      for (size_t begin = 0; begin < help.size();) {
        const size_t end = help.find('\n', begin);
        const std::string text = help.substr(begin, end - begin);
        const bool example = text.starts_with("  neardup");
        EXPECT_TRUE(example || text.size() <= static_cast<size_t>(columns)) << text;
        EXPECT_FALSE(text.ends_with(' ')) << text;
        begin = end + 1;
      }
    }
  }
}

TEST_F(Reference, ShortHelpFitsAScreen) {
  for (const CommandDoc& doc : describe_all(line_)) {
    const std::string help = short_help(doc, {80, false});
    EXPECT_LE(std::count(help.begin(), help.end(), '\n'), 40) << doc.text.name;
    if (doc.text.usual.empty()) {
      EXPECT_EQ(help, command_help(doc, {80, false}));
    } else {
      EXPECT_NE(help.find("neardup " + doc.text.name + " --help-all"), std::string::npos);
    }
  }
}

TEST_F(Reference, UsualFlagsAreThere) {
  for (const CommandDoc& doc : describe_all(line_)) {
    for (const std::string& name : doc.text.usual) {
      const std::vector<FlagDoc> flags = shown_flags(doc);
      const auto is_it = [&](const FlagDoc& flag) { return flag.long_name == name; };
      EXPECT_TRUE(std::any_of(flags.begin(), flags.end(), is_it)) << doc.text.name << " " << name;
    }
  }
}

TEST_F(Reference, ColorOnlyWhereWanted) {
  EXPECT_EQ(root_help(line_, {80, false}).find('\x1b'), std::string::npos);
  EXPECT_NE(root_help(line_, {80, true}).find("\x1b[1m"), std::string::npos);
}

TEST_F(Reference, ManPageNamesEverything) {
  const std::string page = man_page(line_);
  const auto escaped = [](const std::string& text) {
    std::string name;
    for (const char c : text) name += c == '-' ? std::string("\\-") : std::string(1, c);
    return name;
  };
  for (const FlagDoc& flag : all_flags())
    EXPECT_NE(page.find(escaped(flag.long_name)), std::string::npos) << flag.long_name;
  for (const std::string& name : line_.names())
    EXPECT_NE(page.find("neardup " + escaped(name)), std::string::npos) << name;
}

// man-db's reader stops at nothing, so its warnings count.
TEST_F(Reference, ManPageIsReadWithoutWarnings) {
  if (std::system("command -v groff >/dev/null 2>&1") != 0) GTEST_SKIP() << "groff is not installed";
  const Folder folder;
  const std::string page = folder.write("neardup.1", man_page(line_));
  ASSERT_EQ(std::system(("groff -man -Tascii -ww -z " + page + " 2> " + (folder / "warnings")).c_str()), 0);
  EXPECT_EQ(folder.read("warnings"), "");
}

TEST_F(Reference, CommittedPagesAreThoseOfTheProgram) {
  const std::string root = std::string(NEARDUP_TEST_DATA) + "/../../docs/cli/";
  std::vector<std::pair<std::string, std::string>> pages = markdown_pages(line_);
  pages.emplace_back("neardup.1", man_page(line_));
  for (const auto& [name, content] : pages) {
    std::ifstream stream(root + name, std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_EQ(committed, content) << "docs/cli/" << name
                                  << " is out of date: run neardup help --output-format markdown --write "
                                  << "docs/cli and neardup help --output-format man --write docs/cli";
  }
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    const std::string name = entry.path().filename();
    const bool known = std::any_of(pages.begin(), pages.end(), [&](const auto& page) { return page.first == name; });
    EXPECT_TRUE(known) << "docs/cli/" << name << " belongs to no command";
  }
}

void expect_script(const std::string& script, const std::vector<FlagDoc>& flags, const std::string& shell) {
  for (const FlagDoc& flag : flags) {
    const std::string name = shell == "fish" ? "-l " + flag.long_name.substr(2) + " " : flag.long_name;
    EXPECT_NE(script.find(name), std::string::npos) << shell << " " << flag.long_name;
  }
  if (std::system(("command -v " + shell + " >/dev/null 2>&1").c_str()) != 0) return;
  const Folder folder;
  EXPECT_EQ(std::system((shell + " -n " + folder.write("script", script)).c_str()), 0) << script;
}

TEST_F(Reference, CompletionScriptsAreValidAndComplete) {
  expect_script(bash_completion(line_), all_flags(), "bash");
  expect_script(zsh_completion(line_), all_flags(), "zsh");
  expect_script(fish_completion(line_), all_flags(), "fish");
}

/// Completes `words` in a real bash and returns the answers, one a line.
std::string bash_completes(const CommandLine& line, const std::string& words, int last) {
  const Folder folder;
  const std::string script =
      folder.write("script", bash_completion(line) + "COMP_WORDS=(" + words + ")\nCOMP_CWORD=" + std::to_string(last) +
                                 "\n_neardup\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  EXPECT_EQ(std::system(("bash " + script + " > " + (folder / "out")).c_str()), 0);
  return folder.read("out");
}

TEST_F(Reference, BashCompletes) {
  EXPECT_EQ(bash_completes(line_, "neardup de", 1), "dedup\n");
  EXPECT_EQ(bash_completes(line_, "neardup dedup --mo", 2), "--mode\n");
  EXPECT_EQ(bash_completes(line_, "neardup dedup --mode ''", 3), "remove\nannotate\nids\n");
  EXPECT_EQ(bash_completes(line_, "neardup completion z", 2), "zsh\n");
  EXPECT_EQ(bash_completes(line_, "neardup dedup --recipe gra", 3), "grams\n");
  EXPECT_EQ(bash_completes(line_, "neardup dedup --verify ''", 3), "content\norigin\njaccard:\ncode\ncode:\nnone\n");
  EXPECT_EQ(bash_completes(line_, "neardup dedup --mode=", 2), "\n");
}

}  // namespace
}  // namespace neardup::cli

// `neardup text`: which bytes reach it, and when it stops. What it prints of pages is in tests/golden/cases/text.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "run.h"

namespace neardup::cli {
namespace {

TEST(TextCommand, PrintsNothingOnceItIsStopped) {
  const Folder folder;
  const std::string page = folder.write("page.html", "<p>hello</p>");
  const std::atomic<bool> cancel = true;
  const Ran ran = run({"text", page}, &cancel);
  EXPECT_EQ(ran.exit, kExitInterrupted);
  EXPECT_EQ(ran.out, "");
}

TEST(TextCommand, ADeclaredEncodingWithNulBytesIsRead) {
  const Folder folder;
  const std::string utf16("h\0e\0y\0", 6);
  const std::string file = folder.write("file", utf16);
  EXPECT_EQ(run({"text", file, "--charset", "utf-16le"}).out, "hey\n");
  const Ran undeclared = run({"text", file});
  EXPECT_EQ(undeclared.exit, kExitFailed);
  EXPECT_NE(undeclared.err.find("UTF-16"), std::string::npos) << undeclared.err;
}

TEST(TextCommand, TheOnlyFileIsNamedOnce) {
  const Folder folder;
  const std::string file = folder.write("large", std::string(3000, 'x'));
  const Ran ran = run({"text", file, "--max-bytes", "2K"});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_EQ(ran.err,
            "neardup: '" + file + "' is longer than 2048 bytes, the longest record allowed; raise --max-bytes\n");
}

TEST(TextCommand, NothingIsShownWhereNoFileIsFound) {
  const Folder folder;
  const Ran ran = run({"text", folder / "a", folder / "b"});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("cannot find input"), std::string::npos) << ran.err;
}

TEST(TextCommand, FoldersKeepTheirOrderAndNamesWhereAnArgumentIsMissing) {
  const Folder folder;
  std::filesystem::create_directory(folder / "in");
  const std::string b = folder.write("in/b.txt", "b");
  const std::string a = folder.write("in/a.txt", "");
  const Ran ran = run({"text", folder / "in", folder / "missing"});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_EQ(ran.out, "==> " + a + " <==\n\n==> " + b + " <==\nb\n");
  EXPECT_NE(ran.err.find("1 of 3 files could not be shown"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace neardup::cli

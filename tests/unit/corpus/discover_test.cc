#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <tuple>

#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

std::vector<std::string> names(const std::vector<Input>& inputs) {
  std::vector<std::string> out;
  for (const Input& input : inputs) out.push_back(input.name);
  return out;
}
using Names = std::vector<std::string>;

Error error_of(const std::vector<std::string>& arguments, const DiscoverOptions& options = {}) {
  const auto inputs = discover(arguments, options);
  EXPECT_FALSE(inputs);
  return inputs ? Error{} : inputs.error();
}

TEST(Discover, FolderIsSortedByBytesAndSkipsHiddenFiles) {
  const TempFolder folder;
  for (const char* name : {"b.txt", "a/z.txt", "a.txt", "a/.hidden/x.txt", ".x.txt", "B.txt", "a/b/c/d.md"}) {
    folder.write(name, "text");
  }
  EXPECT_EQ(names(discover_all({folder.path()})), (Names{"B.txt", "a.txt", "a/b/c/d.md", "a/z.txt", "b.txt"}));
  EXPECT_EQ(names(discover_all({folder.path() + "/"})), (Names{"B.txt", "a.txt", "a/b/c/d.md", "a/z.txt", "b.txt"}));
}

TEST(Discover, FolderNamesComeFirstWhereThereAreSeveralArguments) {
  const TempFolder folder;
  folder.write("one/x.jsonl", "");
  folder.write("two/x.jsonl", "");
  const std::string single = folder.write("y.jsonl", "");
  EXPECT_EQ(names(discover_all({folder.path("one"), folder.path("two"), single})),
            (Names{"one/x.jsonl", "two/x.jsonl", "y.jsonl"}));
}

TEST(Discover, CollidingNamesTakeMoreParents) {
  const TempFolder folder;
  const std::string a = folder.write("a/data/part.jsonl", "");
  const std::string b = folder.write("b/data/part.jsonl", "");
  const std::string c = folder.write("c/other.jsonl", "");
  EXPECT_EQ(names(discover_all({a, b, c})), (Names{"a/data/part.jsonl", "b/data/part.jsonl", "other.jsonl"}));
  EXPECT_EQ(names(discover_all({folder.path("a/data"), folder.path("b/data")})),
            (Names{"a/data/part.jsonl", "b/data/part.jsonl"}));
}

TEST(Discover, NoNameIsAnotherOnesFolder) {
  const TempFolder folder;
  const std::string file = folder.write("x/data", "text");
  folder.write("y/data/inside.txt", "text");
  EXPECT_EQ(names(discover_all({file, folder.path("y/data")})), (Names{"x/data", "y/data/inside.txt"}));
}

TEST(Discover, RelativeArgumentsHaveNoDots) {
  const TempFolder folder;
  folder.write("in/a.txt", "text");
  folder.write("b.txt", "text");
  const std::string dotted = folder.path("in/../in/./a.txt");
  EXPECT_EQ(names(discover_all({dotted})), (Names{"a.txt"}));
  EXPECT_EQ(names(discover_all({folder.path("in/.."), dotted}, {.exclude = {"in/**"}})).back(), "a.txt");
}

TEST(Discover, FormatsAndCompressions) {
  using F = Format;
  using C = Compression;
  const TempFolder folder;
  const std::string object = "{\"text\":\"a\"}\n";
  const std::string gzip = *compress(C::kGzip, object);
  const std::string zstd = *compress(C::kZstd, object);
  // name, content, format and compression where given itself, format in a folder
  const std::vector<std::tuple<std::string, std::string, F, C, F>> cases = {
      {"a.jsonl", "not looked at", F::kJsonl, C::kNone, F::kJsonl},
      {"a.ndjson", "", F::kJsonl, C::kNone, F::kJsonl},
      {"A.JSONL.GZ", gzip, F::kJsonl, C::kGzip, F::kJsonl},
      {"a.jsonl.zst", zstd, F::kJsonl, C::kZstd, F::kJsonl},
      {"b.jsonl", gzip, F::kJsonl, C::kGzip, F::kJsonl},
      {"part.jsonl-00001", object, F::kJsonl, C::kNone, F::kJsonl},
      {"c.json", object, F::kJsonl, C::kNone, F::kJsonl},
      {"c.json.gz", gzip, F::kJsonl, C::kGzip, F::kJsonl},
      {"d.txt", object, F::kText, C::kNone, F::kText},
      {"d.txt.gz", gzip, F::kText, C::kGzip, F::kText},
      {"data", " \n" + object, F::kJsonl, C::kNone, F::kJsonl},
      {"data2", zstd, F::kJsonl, C::kZstd, F::kJsonl},
      {"words", "plain words", F::kText, C::kNone, F::kText},
  };
  for (const auto& [name, bytes, format, compression, folder_format] : cases) {
    const std::string path = folder.write(name + ".d/" + name, bytes);
    const Input given = discover_all({path}).at(0);
    EXPECT_EQ(given.format, format) << name;
    EXPECT_EQ(given.compression, compression) << name;
    EXPECT_EQ(given.size_bytes, bytes.size());
    EXPECT_TRUE(given.named);
    const Input found = discover_all({folder.path(name + ".d")}).at(0);
    EXPECT_EQ(found.format, folder_format) << name;
    EXPECT_EQ(found.compression, compression) << name;
    EXPECT_FALSE(found.named);
    EXPECT_EQ(discover_all({path}, {.format = F::kLines}).at(0).format, F::kLines);
  }
}

TEST(Discover, JsonThatIsNotLines) {
  const TempFolder folder;
  folder.write("x.json", "[\n{\"text\":\"a\"}]");
  const Error error = error_of({folder.path("x.json")});
  EXPECT_EQ(error.code, Code::kUnsupported);
  EXPECT_NE(error.message.find("jq"), std::string::npos);
  EXPECT_EQ(discover_all({folder.path()}).at(0).format, Format::kText);
  folder.write("x.json", "{\n\"text\":\"a\"}");
  EXPECT_EQ(error_of({folder.path("x.json")}).code, Code::kUnsupported);
  EXPECT_EQ(discover_all({folder.path("x.json")}, {.format = Format::kText}).size(), 1U);
}

TEST(Discover, IncludeAndExclude) {
  const TempFolder folder;
  for (const char* name : {"a.txt", "b.md", "sub/c.txt", "sub/deep/d.txt", "skip/e.txt"}) folder.write(name, "x");
  const auto found = [&](DiscoverOptions options) { return names(discover_all({folder.path()}, options)); };
  EXPECT_EQ(found({.include = {"*.md"}}), (Names{"b.md"}));
  EXPECT_EQ(found({.include = {"*.txt"}, .exclude = {"skip/**"}}), (Names{"a.txt", "sub/c.txt", "sub/deep/d.txt"}));
  EXPECT_EQ(found({.include = {"sub/*.txt"}}), (Names{"sub/c.txt"}));
  EXPECT_EQ(found({.include = {"sub/**"}}), (Names{"sub/c.txt", "sub/deep/d.txt"}));
}

TEST(Discover, Patterns) {
  const TempFolder folder;
  for (const char* name : {"a.jsonl", "b.jsonl", "c.txt", "sub/d.jsonl"}) folder.write(name, "{}");
  EXPECT_EQ(names(discover_all({folder.path("*.jsonl")})), (Names{"a.jsonl", "b.jsonl"}));
  EXPECT_EQ(names(discover_all({folder.path("[!a].jsonl")})), (Names{"b.jsonl"}));
  EXPECT_EQ(names(discover_all({folder.path("**/*.jsonl")})), (Names{"a.jsonl", "b.jsonl", "d.jsonl"}));
  EXPECT_EQ(error_of({folder.path("*.csv")}).code, Code::kNotFound);
  folder.write("odd[1].txt", "a name with brackets");
  EXPECT_EQ(names(discover_all({folder.path("odd[1].txt")})), (Names{"odd[1].txt"}));
}

TEST(Discover, LoopsOfLinksEnd) {
  const TempFolder folder;
  folder.write("a/b/x.txt", "text");
  std::filesystem::create_directory_symlink(folder.path("a"), folder.path("a/b/up"));
  std::filesystem::create_directory_symlink(folder.path(), folder.path("a/self"));
  EXPECT_EQ(names(discover_all({folder.path()})), (Names{"a/b/x.txt"}));
}

TEST(Discover, WhatCannotBeReachedIsRejectedAndNamed) {
  const TempFolder folder;
  folder.write("b.jsonl", "{\"text\":\"x\"}\n");
  std::filesystem::create_symlink(folder.path("nothing"), folder.path("a.jsonl"));
  std::filesystem::create_symlink(folder.path("loop"), folder.path("loop"));
  const auto items = read_inputs(discover_all({folder.path()}));
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].reason, "unreadable");
  EXPECT_EQ(discover_all({folder.path()})[0].fault, "a link that cannot be followed: No such file or directory");
  EXPECT_EQ(items[1].text, "x");
  EXPECT_EQ(items[2].reason, "unreadable");
  EXPECT_EQ(names(discover_all({folder.path()}, {.exclude = {"loop", "a*"}})), (Names{"b.jsonl"}));
  EXPECT_EQ(names(discover_all({folder.path("*.jsonl")})), (Names{"a.jsonl", "b.jsonl"}));
  EXPECT_EQ(error_of({folder.path("a.jsonl")}).code, Code::kNotFound);
}

TEST(Discover, AFolderThatCannotBeListedIsRejectedAndNamed) {
  const TempFolder folder;
  folder.write("a.txt", "x");
  folder.write("shut/b.txt", "y");
  const std::string shut = folder.path("shut");
  const auto found = [&](const std::string& argument, const DiscoverOptions& options) {
    ::chmod(shut.c_str(), 0);
    const auto inputs = discover(std::vector{folder.path(argument)}, options);
    const auto items = inputs ? read_inputs(*inputs) : std::vector<Item>();
    ::chmod(shut.c_str(), 0700);
    EXPECT_TRUE(inputs) << inputs.error().message;
    for (const Item& item : items) EXPECT_EQ(item.reason, item.input == "shut" ? "unreadable" : "");
    return names(inputs.value_or(std::vector<Input>()));
  };
  if (found("", {}) == Names{"a.txt", "shut/b.txt"}) GTEST_SKIP() << "this user may list everything";
  EXPECT_EQ(found("", {.include = {"*.txt"}}), (Names{"a.txt", "shut"}));
  for (const char* pattern : {"shut", "shut/*", "shut/**", "**/shut/**"})
    EXPECT_EQ(found("", {.exclude = {pattern}}), (Names{"a.txt"})) << pattern;
  EXPECT_EQ(found("**/*.txt", {}), (Names{"a.txt", "shut"}));
  EXPECT_EQ(found("*.txt", {}), (Names{"a.txt"}));
  EXPECT_EQ(found("s*/*.md", {}), (Names{"shut"}));
  ::chmod(shut.c_str(), 0);
  EXPECT_EQ(error_of({folder.path("shut/*.txt")}).code, Code::kIo);
  ::chmod(shut.c_str(), 0700);
}

TEST(Discover, ALinkIsADocumentOfItsOwn) {
  const TempFolder folder;
  const std::string file = folder.write("a.txt", "x");
  std::filesystem::create_symlink(file, folder.path("link.txt"));
  std::filesystem::create_hard_link(file, folder.path("hard.txt"));
  EXPECT_EQ(names(discover_all({folder.path()})), (Names{"a.txt", "hard.txt", "link.txt"}));
  EXPECT_EQ(names(discover_all({folder.path("*.txt")})), (Names{"a.txt", "hard.txt", "link.txt"}));
  EXPECT_EQ(names(discover_all({folder.path("link.txt"), file})), (Names{"link.txt", "a.txt"}));
}

TEST(Discover, AFileIsFoundAgainThroughLinksToItsFolder) {
  const TempFolder folder;
  const std::string file = folder.write("data/a.txt", "x");
  std::filesystem::create_directory_symlink(folder.path("data"), folder.path("link"));
  const std::string again = folder.path("link/a.txt");
  const std::vector<std::vector<std::string>> rows = {
      {file, again}, {folder.path("data"), folder.path("link")}, {folder.path("link"), file}};
  for (const auto& arguments : rows) {
    const Error error = error_of(arguments);
    EXPECT_EQ(error.code, Code::kInvalidArgument);
    EXPECT_NE(error.message.find("twice"), std::string::npos);
    EXPECT_NE(error.message.find(file), std::string::npos);
    EXPECT_NE(error.message.find(again), std::string::npos);
  }
  EXPECT_EQ(names(discover_all({folder.path()})), (Names{"data/a.txt"})) << "a folder is read once";
}

TEST(Discover, Errors) {
  const TempFolder folder;
  const std::string missing = folder.path("missing.jsonl");
  EXPECT_EQ(error_of({missing}).code, Code::kNotFound);
  EXPECT_NE(error_of({missing}).message.find(missing), std::string::npos);
  EXPECT_EQ(error_of({folder.path()}).code, Code::kInvalidArgument);
  EXPECT_EQ(error_of({}).code, Code::kInvalidArgument);
  const std::string file = folder.write("a.txt", "x");
  EXPECT_EQ(error_of({file, folder.path("./a.txt")}).code, Code::kInvalidArgument);
  EXPECT_EQ(error_of({folder.path(), file}).code, Code::kInvalidArgument);
  EXPECT_EQ(error_of({"/dev/null"}).code, Code::kUnsupported);
  EXPECT_EQ(error_of({folder.write("b.zip", "PK")}).code, Code::kUnsupported);
}

TEST(Glob, Rows) {
  const std::vector<std::tuple<std::string, std::string, bool>> rows = {
      {"a/*.txt", "a/b.txt", true},
      {"a/*.txt", "a/b/c.txt", false},
      {"a/**", "a/b/c.txt", true},
      {"**/c.txt", "a/b/c.txt", true},
      {"**/c.txt", "c.txt", true},
      {"**/c.txt", "abc.txt", false},
      {"a/**/d", "a/d", true},
      {"a/**/d", "a/b/c/d", true},
      {"a/**/d", "a/bd", false},
      {"*.txt", "a/b/c.txt", true},
      {"?.txt", "ab.txt", false},
      {"a?c/x", "a/c/x", false},
      {"[a-c]x", "bx", true},
      {"[!a-c]x", "bx", false},
      {"[]]x", "]x", true},
      {"[x", "[x", true},
      {"*", "", true},
      {"", "", true},
      {"a/*b*c", "a/xbxbxc", true},
      {"**a**b/c", "x/a/y/b/c", true},
      {"a/*", "a/", true},
  };
  for (const auto& [pattern, path, expected] : rows)
    EXPECT_EQ(matches_glob(pattern, path), expected) << pattern << " " << path;
  // Many stars do not take for ever.
  EXPECT_FALSE(matches_glob("x/*a*a*a*a*a*a*a*a*a*a*b", "x/" + std::string(2000, 'a')));
}

TEST(Spool, CopiesAndDetects) {
  const std::string object = "\n {\"text\":\"a\"}\n";
  const std::vector<std::tuple<std::string, Format, Compression, std::string>> rows = {
      {object, Format::kJsonl, Compression::kNone, "stdin.jsonl"},
      {*compress(Compression::kGzip, object), Format::kJsonl, Compression::kGzip, "stdin.jsonl.gz"},
      {*compress(Compression::kZstd, "words"), Format::kText, Compression::kZstd, "stdin.txt.zst"},
      {"words", Format::kText, Compression::kNone, "stdin.txt"},
      {"", Format::kLines, Compression::kNone, "stdin.txt"},
  };
  for (const auto& [bytes, format, compression, name] : rows) {
    const TempFolder folder;
    const int descriptor = ::open(folder.write("source", bytes).c_str(), O_RDONLY);
    const auto input = spool(descriptor, folder.path("spooled"), {});
    ASSERT_TRUE(input) << input.error().message;
    EXPECT_EQ(input->format, format);
    EXPECT_EQ(input->compression, compression);
    EXPECT_EQ(input->name, name);
    EXPECT_EQ(input->size_bytes, bytes.size());
    EXPECT_EQ(*read_file(input->path), bytes);
    EXPECT_EQ(::lseek(descriptor, 0, SEEK_SET), 0) << "the descriptor stays open";
    EXPECT_EQ(spool(descriptor, folder.path("lines"), {.format = Format::kLines})->format, Format::kLines);
    ::close(descriptor);
  }
}

TEST(Spool, NothingIsNoDocument) {
  const TempFolder folder;
  const int descriptor = ::open("/dev/null", O_RDONLY);
  const auto input = spool(descriptor, folder.path("spooled"), {});
  ::close(descriptor);
  ASSERT_TRUE(input);
  EXPECT_TRUE(read_inputs({*input}).empty());
}

TEST(Spool, StopsWhileNothingComes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "words", 5), 5);
  const TempFolder folder;
  std::atomic<bool> cancel = false;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    cancel = true;
  });
  const auto input = spool(ends[0], folder.path("spooled"), {}, {.progress = nullptr, .cancel = &cancel});
  ::close(ends[0]);
  ::close(ends[1]);
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().code, Code::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "half a copy leaves nothing";
}

TEST(Spool, ReadsAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "{\"text\":\"a\"}", 12), 12);
  ::close(ends[1]);
  const TempFolder folder;
  const auto input = spool(ends[0], folder.path("spooled"), {});
  ::close(ends[0]);
  ASSERT_TRUE(input);
  EXPECT_EQ(read_inputs({*input}).at(0).text, "a");
}

}  // namespace
}  // namespace neardup::corpus

// The example in the comment of corpus/corpus.h: it compiles, it runs, and it is the one that stands there.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/corpus/support.h"

namespace neardup {
namespace {

Result<uint64_t> count_documents(const std::vector<std::string>& arguments) {
  NEARDUP_ASSIGN(auto inputs, corpus::discover(arguments, {}));
  NEARDUP_ASSIGN(auto reader, corpus::Reader::open(inputs, {}));
  uint64_t count = 0;
  for (corpus::Batch batch;;) {
    NEARDUP_ASSIGN(const bool more, reader.next(batch));
    if (!more) return count;
    NEARDUP_TRY(reader.load(batch));
    count += batch.documents.size();
  }
}

std::string read_whole(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path).rdbuf();
  return bytes.str();
}

TEST(Door, TheExampleCountsDocuments) {
  const corpus::TempFolder folder;
  const auto count = count_documents({folder.write("a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n"),
                                      folder.write("b.csv", "text\nc\n"), folder.write("c.txt", "d")});
  ASSERT_TRUE(count) << count.error().message;
  EXPECT_EQ(*count, 4U);
}

TEST(Door, TheExampleIsThatOfTheHeader) {
  const std::filesystem::path tests = std::filesystem::path(NEARDUP_TEST_DATA).parent_path();
  const std::string test = read_whole(tests / "unit/corpus/door_test.cc");
  std::istringstream header(read_whole(tests.parent_path() / "src/neardup/corpus/corpus.h"));
  size_t num_lines = 0;
  for (std::string line; std::getline(header, line);) {
    if (!line.starts_with("//   ")) continue;
    EXPECT_NE(test.find("\n" + line.substr(5) + "\n"), std::string::npos) << line;
    ++num_lines;
  }
  EXPECT_EQ(num_lines, 11U);
}

}  // namespace
}  // namespace neardup

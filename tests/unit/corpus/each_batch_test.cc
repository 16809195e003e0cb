#include "neardup/corpus/each_batch.h"

#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

using Lines = std::vector<std::pair<uint32_t, uint64_t>>;  // input, line

Lines lines_of(const std::vector<Input>& inputs, size_t most) {
  Lines lines;
  const auto take = [&](const Batch& batch, uint64_t lines_before) -> Result<bool> {
    for (const Document& document : batch.documents) lines.emplace_back(document.input, lines_before + document.line);
    return lines.size() < most;
  };
  ReadOptions options;
  options.batch_bytes = 1;  // a batch for each line
  EXPECT_TRUE(for_each_batch(inputs, options, {}, take));
  return lines;
}

TEST(EachBatch, CountsTheLinesOfEachInputAndStopsWhenAsked) {
  const TempFolder folder;
  folder.write("a.jsonl", "{\"text\":\"1\"}\n\n{\"text\":\"2\"}\n");
  folder.write("b.jsonl", "{\"text\":\"3\"}\n{\"text\":\"4\"}\n");
  const auto inputs = discover_all({folder.path()});
  EXPECT_EQ(lines_of(inputs, 9), (Lines{{0, 0}, {0, 2}, {1, 0}, {1, 1}}));
  EXPECT_EQ(lines_of(inputs, 3), (Lines{{0, 0}, {0, 2}, {1, 0}}));
}

TEST(EachBatch, HandsOnErrorsAndTheWishToStop) {
  const TempFolder folder;
  folder.write("a.jsonl", "{\"text\":\"1\"}\n");
  const auto inputs = discover_all({folder.path()});
  const auto refuse = [](const Batch&, uint64_t) -> Result<bool> { return fail(Code::kMismatch, "no"); };
  EXPECT_EQ(for_each_batch(inputs, {}, {}, refuse).error().code, Code::kMismatch);
  const std::atomic<bool> cancel = true;
  EXPECT_EQ(for_each_batch(inputs, {}, {.progress = nullptr, .cancel = &cancel}, refuse).error().code,
            Code::kCancelled);
}

}  // namespace
}  // namespace neardup::corpus

#include "neardup/engine/read/idf_pass.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/engine/options.h"
#include "neardup/engine/record_limits.h"

namespace neardup::engine {
namespace {

class IdfPass : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("neardup_idf_pass_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write_compressed(const std::string& name, const std::string& bytes) const {
    ASSERT_TRUE(write_file_atomically(path(name), *corpus::compress(corpus::Compression::kGzip, bytes)));
  }
  [[nodiscard]] Result<std::shared_ptr<const feature::Idf>> learn(uint64_t memory_bytes, int num_threads) const {
    const std::vector<std::string> arguments = {folder_.string()};
    const recipe::Recipe recipe = *recipe::find_recipe("paper");
    return learn_idf(*corpus::discover(arguments, {}), within_memory({}, recipe, memory_bytes, num_threads), recipe,
                     {num_threads, memory_bytes}, {});
  }

 private:
  std::filesystem::path folder_;
};

constexpr uint64_t kPlentyOfMemory = uint64_t{4} << 30;
constexpr uint64_t kDocumentBytes = 1000;

/// Lines of one length that take next to nothing when they are compressed.
std::string alike_lines(uint64_t count) {
  std::string lines;
  for (uint64_t i = 0; i < count; ++i) {
    std::string line = fmt::format("{{\"text\":\"w{}", i);
    line.append(kDocumentBytes - 3 - line.size(), 'x');
    lines += line + "\"}\n";
  }
  return lines;
}

TEST_F(IdfPass, SampleIsCountedAsItIsAfterDecompression) {
  const uint64_t count = 12'000;
  write_compressed("in.jsonl.gz", alike_lines(count));
  const uint64_t most = 2 * idf_sample_bytes(kSmallestMemory) / kDocumentBytes;
  std::vector<std::string> ids;
  for (const int num_threads : {1, 3}) {
    const auto little = learn(kSmallestMemory, num_threads);
    ASSERT_TRUE(little) << little.error().message;
    EXPECT_GT((*little)->num_documents(), most / 2);
    EXPECT_LT((*little)->num_documents(), most + most / 10);
    ids.push_back((*little)->id());
  }
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ((*learn(kPlentyOfMemory, 1))->num_documents(), count);
}

TEST_F(IdfPass, CompressedTextsCountWithTheirSizeToo) {
  const uint64_t num_files = 40, file_bytes = 300'000;
  for (uint64_t i = 0; i < num_files; ++i)
    write_compressed(fmt::format("{:02}.txt.gz", i), fmt::format("w{}", i) + std::string(file_bytes, 'x'));
  const uint64_t most = 2 * idf_sample_bytes(kSmallestMemory) / file_bytes;
  for (const int num_threads : {1, 3}) {
    const auto little = learn(kSmallestMemory, num_threads);
    ASSERT_TRUE(little) << little.error().message;
    EXPECT_GE((*little)->num_documents(), most / 2);
    EXPECT_LE((*little)->num_documents(), most + 1);
  }
  EXPECT_EQ((*learn(kPlentyOfMemory, 2))->num_documents(), num_files);
}

TEST_F(IdfPass, PlainInputsAreSampledEvenly) {
  const uint64_t count = 12'000;
  ASSERT_TRUE(write_file_atomically(path("in.jsonl"), alike_lines(count)));
  const uint64_t sample = idf_sample_bytes(kSmallestMemory) / kDocumentBytes;
  const auto one = learn(kSmallestMemory, 1);
  EXPECT_GT((*one)->num_documents(), sample * 9 / 10);
  EXPECT_LT((*one)->num_documents(), sample * 2);
  EXPECT_EQ((*learn(kSmallestMemory, 3))->id(), (*one)->id());
  EXPECT_EQ((*learn(kPlentyOfMemory, 1))->num_documents(), count);
}

TEST(IdfSample, IsTheWholeOneFromTwoGigabytesOn) {
  EXPECT_EQ(idf_sample_bytes(uint64_t{2} << 30), kIdfSampleBytes);
  EXPECT_EQ(idf_sample_bytes(~uint64_t{0}), kIdfSampleBytes);
  EXPECT_EQ(idf_sample_bytes(kSmallestMemory), kSmallestMemory / 64);
}

}  // namespace
}  // namespace neardup::engine

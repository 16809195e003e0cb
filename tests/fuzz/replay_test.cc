// Runs every fuzz body on its seeds (tests/fuzz/corpus/NAME/), on mutations of them and on noise: the same inputs each
// time.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_targets.h"

namespace {

constexpr auto kTimePerTarget = std::chrono::seconds(10);
constexpr size_t kMutationsPerSeed = 1000;
constexpr size_t kNoiseInputs = 300;

std::vector<std::string> read_seeds(std::string_view target) {
  const auto folder = std::filesystem::path(NEARDUP_FUZZ_CORPUS) / target;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

size_t below(std::mt19937_64& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

/// Changes one thing: cuts, flips a bit, sets, inserts, repeats a piece, or splices a piece of another seed in.
void mutate(std::mt19937_64& random, const std::vector<std::string>& seeds, std::string& input) {
  static constexpr std::string_view kBytes("\0\n\r\"\\{}[]:,\xff\xc0\xed\x80\x7f 09", 20);
  const size_t at = below(random, input.size());
  const size_t length = 1 + below(random, std::min<size_t>(input.size() - at, 64));
  switch (random() % 6) {
    case 0:
      input.resize(at);
      break;
    case 1:
      if (!input.empty()) input[at] = static_cast<char>(input[at] ^ (1 << (random() % 8)));
      break;
    case 2:
      if (!input.empty()) input[at] = kBytes[below(random, kBytes.size())];
      break;
    case 3:
      input.insert(at, 1 + below(random, 8), kBytes[below(random, kBytes.size())]);
      break;
    case 4:
      input.insert(at, input.substr(at, length));
      break;
    default: {
      const std::string& other = seeds[below(random, seeds.size())];
      input.insert(at, other.substr(below(random, other.size()), 1 + below(random, 64)));
    }
  }
}

std::string noise(std::mt19937_64& random) {
  std::string bytes(below(random, 300), '\0');
  const bool text = random() % 2 == 0;
  for (char& byte : bytes) byte = static_cast<char>(text ? ' ' + random() % 95 : random());
  return bytes;
}

class Replay : public testing::Test {
 public:
  explicit Replay(FuzzTarget target) : target_(target) {}

  void TestBody() override {
    const std::vector<std::string> seeds = read_seeds(target_.name);
    ASSERT_FALSE(seeds.empty()) << "no seeds in tests/fuzz/corpus/" << target_.name;
    run("");
    for (const std::string& seed : seeds) run(seed);
    std::mt19937_64 random(1);
    for (size_t i = 0; i < kNoiseInputs && in_time(); ++i) run(noise(random));
    for (size_t i = 0; i < kMutationsPerSeed && in_time(); ++i) run_mutated(random, seeds);
  }

 private:
  void run_mutated(std::mt19937_64& random, const std::vector<std::string>& seeds) {
    for (size_t i = 0; i < seeds.size() && in_time(); ++i) {
      std::string input = seeds[i];
      for (size_t steps = 1 + random() % 4; steps > 0; --steps) mutate(random, seeds, input);
      run(input);
    }
  }

  // The bytes are copied to a block of exactly their size, so that the sanitizers see each read beyond the end.
  void run(std::string_view input) const {
    const auto block = std::make_unique<uint8_t[]>(input.size());
    std::copy(input.begin(), input.end(), block.get());
    EXPECT_EQ(target_.run(block.get(), input.size()), 0);
  }

  bool in_time() const { return std::chrono::steady_clock::now() - start_ < kTimePerTarget; }

  FuzzTarget target_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const FuzzTarget& target : fuzz_targets()) {
    testing::RegisterTest("FuzzReplay", std::string(target.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [target]() -> Replay* { return new Replay(target); });
  }
  return RUN_ALL_TESTS();
}

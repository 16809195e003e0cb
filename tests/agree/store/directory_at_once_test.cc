// An index in a folder while a writer flushes, segments are merged in the background and readers look on.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "neardup/store/index_directory.h"
#include "tests/own_path.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;
using Index = IndexDirectory<Fingerprint>;

// Every flush makes a segment, of another size each time, so that merges end, and store what they made, at any step of
// a flush.
TEST(Directory, FlushesBesideMergesAndReadersAtOnce) {
  constexpr uint64_t kFlushes = 120;
  constexpr uint64_t kOneIn = 64;  // documents are found by the query
  uint64_t total = 0;
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  {
    DirectoryOptions options;
    options.mem_capacity = 4096;
    auto index = Index::create(folder, {}, options);
    ASSERT_TRUE(index) << index.error().message;
    ASSERT_TRUE(index->join_recipe("", "", 1));
    std::atomic<bool> ended{false};
    std::atomic<uint64_t> flushed{0};
    std::thread reader([&] {
      const Fingerprint query = 0;
      while (!ended) {
        const uint64_t least = flushed;
        uint64_t found = 0;
        index->query({&query, 1}, 0, [&](size_t, std::span<const Neighbour> neighbours) {
          found = neighbours.size();
          for (const Neighbour& n : neighbours) EXPECT_EQ(index->id(n.document), "d" + std::to_string(n.document));
        });
        EXPECT_GE(found, least);
      }
    });
    uint64_t documents = 0;
    for (uint64_t i = 0; i < kFlushes; ++i) {
      for (const uint64_t end = documents + 1 + i * 37 % 400; documents < end; ++documents) {
        const Fingerprint value = documents % kOneIn == 0 ? 0 : documents << 20;
        EXPECT_TRUE(index->put("d" + std::to_string(documents), {&value, 1}));
      }
      // A second one has nothing to store, and names what a merge has stored.
      for (int times = 0; times < 2; ++times) {
        const Status status = index->flush();
        EXPECT_TRUE(status) << status.error().message;
      }
      flushed = (documents + kOneIn - 1) / kOneIn;
    }
    total = documents;
    ended = true;
    reader.join();
    EXPECT_TRUE(index->check());
  }
  const auto opened = Index::open_to_read(folder);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->figures().documents, total);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace neardup::store

// The stream of records of a WARC file against the plain reader.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/output.h"
#include "tests/agree/corpus/plain_warc.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {

/// What a Reader must give of `bytes`: conversions are documents, whose text is their block.
inline std::vector<Item> expected_warc(const std::string& name, std::string_view bytes) {
  std::vector<Item> items;
  const std::vector<plain::WarcItem> records = plain::read_warc(bytes);
  for (size_t number = 0; number < records.size(); ++number) {
    const plain::WarcItem& record = records[number];
    Item item{name, number, record.reason};
    item.record = record.bytes;
    if (!record.reason.empty() || record.is_document) items.push_back(item);
  }
  return items;
}

/// The same of a Reader, records alone.
inline std::vector<Item> found_warc(const std::vector<Input>& inputs, const ReadOptions& options, int num_shards = 1) {
  std::vector<Item> items;
  uint64_t first_line = 0;
  for (int shard = 0; shard < num_shards; ++shard) {
    auto reader = *Reader::open(inputs, options);
    reader.set_shard(shard, num_shards);
    for (Batch batch; *reader.next(batch);) {
      EXPECT_TRUE(reader.load_records(batch));
      append_items(batch, reader, first_line, items);
    }
  }
  for (Item& item : items)
    if (!item.reason.empty()) item.record.clear();  // the excerpt
  std::erase_if(items, [](const Item& item) { return item.reason == "no_document"; });
  return items;
}

}  // namespace neardup::corpus

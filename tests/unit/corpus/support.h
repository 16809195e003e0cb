// What the tests of the corpus room share: a folder that goes away, and documents as plain values.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/corpus.h"

namespace neardup::corpus {

/// A new empty folder, removed at the end. In memory where the system offers it: some tests make thousands of files.
class TempFolder {
 public:
  TempFolder() {
    const bool has_memory = ::access("/dev/shm", W_OK) == 0;
    const std::filesystem::path parent = has_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "neardup_corpus_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& relative = "") const {
    return relative.empty() ? path_ : path_ + "/" + relative;
  }
  std::string write(const std::string& relative, std::string_view bytes) const {
    const std::filesystem::path file = path(relative);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.string();
  }

 private:
  std::string path_;
};

/// A document or a rejection, with its line counted from the start of its input.
struct Item {
  std::string input;  // name
  uint64_t line = 0;
  std::string reason = {};  // empty: a document
  bool has_id = false;
  std::string id = {}, text = {}, record = {}, value = {}, group = {};
  bool operator==(const Item&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Item& item) {
  return out << item.input << ":" << item.line << " " << (item.reason.empty() ? "document" : item.reason) << " id '"
             << (item.has_id ? item.id : "-") << "' text '" << item.text << "' record '" << item.record << "' value '"
             << item.value << "' group '" << item.group << "'";
}

inline Item to_item(const Document& d, const Reader& reader, uint64_t first_line) {
  return {reader.inputs()[d.input].name,
          first_line + d.line,
          "",
          d.has_id,
          std::string(d.id),
          std::string(d.text),
          std::string(d.record),
          std::string(d.value),
          std::string(d.group)};
}

/// A rejection's excerpt stands in `record`.
inline Item to_item(const Rejection& r, const Reader& reader, uint64_t first_line) {
  Item item{reader.inputs()[r.input].name, first_line + r.line, r.reason};
  item.record = r.excerpt;
  return item;
}

/// Adds what `batch` holds to `items`, in the order of lines. `first_line` is kept from batch to batch.
inline void append_items(const Batch& batch, const Reader& reader, uint64_t& first_line, std::vector<Item>& items) {
  if (batch.begins_input) first_line = 0;
  size_t d = 0;
  size_t r = 0;
  while (d < batch.documents.size() || r < batch.rejections.size()) {
    const bool takes_document =
        r == batch.rejections.size() ||
        (d < batch.documents.size() && std::pair(batch.documents[d].input, batch.documents[d].line) <
                                           std::pair(batch.rejections[r].input, batch.rejections[r].line));
    items.push_back(takes_document ? to_item(batch.documents[d++], reader, first_line)
                                   : to_item(batch.rejections[r++], reader, first_line));
  }
  first_line += batch.num_lines;
}

/// Compares one by one and shows the first difference only.
inline void expect_same(const std::vector<Item>& items, const std::vector<Item>& expected,
                        const std::string& about = "") {
  for (size_t i = 0; i < std::min(items.size(), expected.size()); ++i) {
    ASSERT_EQ(items[i], expected[i]) << "item " << i << " " << about;
  }
  ASSERT_EQ(items.size(), expected.size()) << about;
}

/// Reads everything, one batch after the other.
inline std::vector<Item> read_all(Reader& reader, bool records_only = false) {
  std::vector<Item> items;
  uint64_t first_line = 0;
  Batch batch;
  while (true) {
    const auto has_batch = reader.next(batch);
    EXPECT_TRUE(has_batch) << has_batch.error().message;
    if (!has_batch || !*has_batch) return items;
    const Status loaded = records_only ? reader.load_records(batch) : reader.load(batch);
    EXPECT_TRUE(loaded) << loaded.error().message;
    append_items(batch, reader, first_line, items);
  }
}

inline std::vector<Item> read_inputs(std::vector<Input> inputs, const ReadOptions& options = {}) {
  auto reader = Reader::open(std::move(inputs), options);
  EXPECT_TRUE(reader);
  return read_all(*reader);
}

inline std::vector<Input> discover_all(const std::vector<std::string>& arguments, const DiscoverOptions& options = {}) {
  auto inputs = discover(arguments, options);
  EXPECT_TRUE(inputs) << inputs.error().message;
  return inputs ? *inputs : std::vector<Input>();
}

/// Writes `bytes` to a file and reads it.
inline std::vector<Item> read_bytes(const std::string& name, std::string_view bytes, const ReadOptions& options = {},
                                    const DiscoverOptions& discover_options = {}) {
  const TempFolder folder;
  return read_inputs(discover_all({folder.write(name, bytes)}, discover_options), options);
}

}  // namespace neardup::corpus

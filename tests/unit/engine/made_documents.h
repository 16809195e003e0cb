// Documents as the read stage leaves them, made up row by row: for what looks at rows and not at texts.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "neardup/engine/read/documents.h"
#include "neardup/engine/read/part.h"
#include "tests/own_path.h"

namespace neardup::engine {

/// What is told of a document; all else is as in a usual one.
struct MadeDocument {
  std::string id = {};  // empty: it has none of its own
  uint64_t text = 0;    // equal: equal texts
  double keep_key = 0;
  uint32_t flags = kHasFeatures;
  uint32_t short_size = 0;
  std::string group = {};
};

/// A folder of its own for a test.
class EngineFolder : public ::testing::Test {
 protected:
  EngineFolder() { std::filesystem::remove_all(folder_), std::filesystem::create_directories(folder_); }
  ~EngineFolder() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(write_file_atomically(path_of(name), bytes));
    return path_of(name);
  }
  const std::string folder_ = own_path();
};

/// The documents of one input, "in.jsonl", a line each; those of references must come first, and are of "ref.jsonl".
class MadeDocuments : public EngineFolder {
 protected:
  [[nodiscard]] Documents documents_of(const std::vector<MadeDocument>& made) const {
    const WorkFolder work(folder_);
    EXPECT_TRUE(create_directories(work.part(0, 1)));
    auto writer = PartWriter::open(work.part(0, 1), std::nullopt);
    EXPECT_TRUE(writer);
    uint64_t num_references = 0;
    for (const MadeDocument& document : made) num_references += (document.flags & kIsReference) != 0;
    append(*writer, std::span(made).first(num_references), 0, kIsReference);
    append(*writer, std::span(made).subspan(num_references), 1, 0);
    EXPECT_TRUE(writer->checkpoint(true));
    Sources sources;
    sources.references = {input_named("ref.jsonl")};
    sources.inputs = {input_named("in.jsonl")};
    auto documents = Documents::open(work, 1, 0, 0, sources);
    EXPECT_TRUE(documents) << documents.error().message;
    return std::move(*documents);
  }

 private:
  static corpus::Input input_named(const std::string& name) {
    corpus::Input input;
    input.path = input.name = name;
    return input;
  }
  static void append(PartWriter& writer, std::span<const MadeDocument> made, uint32_t input, uint32_t flags) {
    PartBatch batch;
    batch.batch.num_lines = batch.batch.num_documents = static_cast<uint32_t>(made.size());
    batch.batch.input = input;
    batch.batch.flags = flags;
    for (const MadeDocument& document : made) {
      Row row;
      row.checksum = {document.text * 0x9e3779b97f4a7c15, document.text / 3};  // some share half of them
      row.keep_key = document.keep_key;
      row.flags = document.flags | (document.id.empty() ? 0 : kHasId);
      row.short_size = document.short_size;
      row.input = input;
      row.line = static_cast<uint32_t>(batch.rows.size());
      row.id_offset = batch.ids.size();
      row.id_size = static_cast<uint32_t>(document.id.size());
      batch.groups.push_back(document.group);
      batch.ids += document.id;
      batch.rows.push_back(row);
    }
    EXPECT_TRUE(writer.append(batch));
  }
};

}  // namespace neardup::engine

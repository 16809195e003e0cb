#include "neardup/store/document_facts.h"

#include <algorithm>
#include <bit>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::store {
namespace {

constexpr FileKind kFactsKind{"NDUPFACT", 1, "list of times and tags", "restore the store from a copy, or repair it"};
constexpr size_t kBytesOfOne = sizeof(int64_t) + sizeof(uint32_t);

}  // namespace

void DocumentFacts::add(uint64_t number, int64_t time, std::string_view tag) {
  fill_to(number);
  auto place = places_.find(tag);
  if (place == places_.end()) {
    place = places_.emplace(tag, static_cast<uint32_t>(tags_.size())).first;
    tags_.emplace_back(tag);
  }
  times_.push_back(time);
  tag_of_.push_back(place->second);
  if (time != 0) oldest_ = std::min(oldest_, time);
}

void DocumentFacts::fill_to(uint64_t end) {
  times_.resize(std::max(end, this->end()) - first_);
  tag_of_.resize(times_.size());
}

Result<uint64_t> write_facts(const std::string& path, const DocumentFacts& facts) {
  std::string bytes = begin_frame(kFactsKind);
  append_little(bytes, facts.first_);
  append_varint(bytes, facts.tags_.size() - 1);
  for (size_t i = 1; i < facts.tags_.size(); ++i) {
    append_varint(bytes, facts.tags_[i].size());
    bytes += facts.tags_[i];
  }
  for (size_t i = 0; i < facts.times_.size(); ++i) {
    append_little(bytes, std::bit_cast<uint64_t>(facts.times_[i]));
    append_little(bytes, facts.tag_of_[i]);
  }
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<FactsFile> read_facts(const std::string& path) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  return parse_facts(bytes, path);
}

Result<FactsFile> parse_facts(std::string_view bytes, std::string_view path) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kFactsKind, path));
  ByteReader reader(payload);
  FactsFile file{DocumentFacts(reader.number<uint64_t>()), frame_checksum(bytes)};
  std::vector<std::string_view> tags{""};
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) tags.push_back(reader.piece(reader.varint()));
  if (!reader.ok() || reader.rest().size() % kBytesOfOne != 0 || file.facts.first() > UINT64_MAX - reader.rest().size())
    return damaged_file(kFactsKind, path, "its length is not that of its list");
  while (!reader.rest().empty()) {
    const auto time = std::bit_cast<int64_t>(reader.number<uint64_t>());
    const auto tag = reader.number<uint32_t>();
    if (tag >= tags.size()) return damaged_file(kFactsKind, path, "a tag that there is not");
    file.facts.add(file.facts.end(), time, tags[tag]);
  }
  return file;
}

}  // namespace neardup::store

#include "neardup/store/open_tags.h"

#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::store {
namespace {

constexpr FileKind kTagsKind{"NDUPTAGS", 1, "list of open tags", "restore the store from a copy, or repair it"};

void append_ascending(std::string& bytes, const std::vector<uint64_t>& numbers) {
  append_varint(bytes, numbers.size());
  uint64_t before = 0;
  for (const uint64_t number : numbers) append_varint(bytes, number - std::exchange(before, number));
}

// Returns whether they ascend and are below `end`.
bool take_ascending(ByteReader& reader, uint64_t end, NumberSet& numbers) {
  const uint64_t count = reader.varint();
  uint64_t number = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t step = reader.varint();
    if (!reader.ok() || (i > 0 && step == 0) || step >= end - number) return false;
    numbers.add(number += step);
  }
  return reader.ok();
}

}  // namespace

std::vector<uint64_t> OpenTags::Tag::numbers() const {
  std::vector<uint64_t> numbers = documents.sorted();
  for (uint64_t& number : numbers) number += first;
  return numbers;
}

void OpenTags::open(std::string_view tag, uint64_t first) { tags_[std::string(tag)].first = first; }

OpenTags::Closed OpenTags::close(std::string_view tag) noexcept {
  const auto found = tags_.find(tag);
  return found == tags_.end() ? Closed() : tags_.extract(found);
}

void OpenTags::reopen(std::string_view tag, const Tag& content) { tags_.insert_or_assign(std::string(tag), content); }

const OpenTags::Tag* OpenTags::find(std::string_view tag) const {
  const auto found = tags_.find(tag);
  return found == tags_.end() ? nullptr : &found->second;
}

std::vector<std::string> OpenTags::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tag] : tags_) names.push_back(name);
  return names;
}

void OpenTags::add(std::string_view tag, uint64_t number) {
  const auto found = tags_.find(tag);
  if (found != tags_.end()) found->second.documents.add(number - found->second.first);
}

void OpenTags::supersede(std::string_view tag, uint64_t number) { tags_.find(tag)->second.superseded.add(number); }

void OpenTags::forget_superseded(std::string_view tag, uint64_t number) {
  const auto found = tags_.find(tag);
  if (found != tags_.end()) found->second.superseded.remove(number);
}

const std::string* OpenTags::tag_of(uint64_t number) const {
  for (const auto& [name, tag] : tags_)
    if (tag.contains(number)) return &name;
  return nullptr;
}

bool OpenTags::sees(std::string_view tag, uint64_t number) const {
  if (tags_.empty()) return true;
  if (const Tag* own = find(tag)) {
    if (own->contains(number)) return true;
    if (own->superseded.contains(number)) return false;
  }
  return tag_of(number) == nullptr;
}

Result<uint64_t> write_open_tags(const std::string& path, const OpenTags& tags) {
  std::string bytes = begin_frame(kTagsKind);
  append_varint(bytes, tags.size());
  for (const std::string& name : tags.names()) {
    const OpenTags::Tag& tag = *tags.find(name);
    append_varint(bytes, name.size());
    bytes += name;
    append_little(bytes, tag.first);
    append_ascending(bytes, tag.documents.sorted());
    append_ascending(bytes, tag.superseded.sorted());
  }
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<OpenTagsFile> parse_open_tags(std::string_view bytes, std::string_view path, uint64_t end) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kTagsKind, path));
  ByteReader reader(payload);
  OpenTagsFile file;
  std::string_view before;
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    const std::string_view name = reader.piece(reader.varint());
    OpenTags::Tag tag{.first = reader.number<uint64_t>(), .documents = {}, .superseded = {}};
    if (!reader.ok() || name <= before) return damaged_file(kTagsKind, path, "its names do not ascend");
    if (tag.first > end || !take_ascending(reader, end - tag.first, tag.documents) ||
        !take_ascending(reader, end, tag.superseded))
      return damaged_file(kTagsKind, path, "a document that there is not");
    file.tags.reopen(name, tag);
    before = name;
  }
  if (!reader.ok() || !reader.rest().empty()) return damaged_file(kTagsKind, path, "its lengths do not add up");
  file.checksum = frame_checksum(bytes);
  return file;
}

}  // namespace neardup::store

#include "neardup/store/document_facts.h"

#include <algorithm>
#include <bit>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::store {
namespace {

constexpr FileKind facts_kind(uint32_t version) {
  return {"NDUPFACT", version, "list of times and tags", "restore the store from a copy, or repair it"};
}
constexpr FileKind kFactsKind = facts_kind(2);
constexpr FileKind kListedKind = facts_kind(1);  // each document by itself; read, not written any more

bool is_listed(std::string_view bytes) { return frame_version(bytes) == kListedKind.version; }

// Documents that follow each other and came in the same second with the same tag.
struct Run {
  uint64_t count = 0;
  int64_t time = 0;
  uint64_t tag = 0;
};

// Times mostly rise by little: of a run stands how much it is later than the one before, 2 n, or earlier, 2 n - 1.
uint64_t step_to(int64_t time, int64_t before) {
  const uint64_t later = std::bit_cast<uint64_t>(time) - std::bit_cast<uint64_t>(before);
  return later >> 63 == 0 ? later * 2 : ~(later * 2);
}

int64_t time_after(int64_t before, uint64_t step) {
  return std::bit_cast<int64_t>(std::bit_cast<uint64_t>(before) + (step % 2 == 0 ? step / 2 : ~(step / 2)));
}

Run next_run(ByteReader& reader, int64_t before, bool is_listed) {
  if (is_listed) {
    const auto time = std::bit_cast<int64_t>(reader.number<uint64_t>());
    return {1, time, reader.number<uint32_t>()};
  }
  const uint64_t count = reader.varint();
  const int64_t time = time_after(before, reader.varint());
  return {count, time, reader.varint()};
}

}  // namespace

void DocumentFacts::add(uint64_t number, int64_t time, std::string_view tag) {
  const uint32_t place = place_of(tag);
  fill_to(number + 1);
  times_.back() = time;
  tag_of_.back() = place;
  if (time != 0) oldest_ = std::min(oldest_, time);
}

// A name that no document has does no harm.
uint32_t DocumentFacts::place_of(std::string_view tag) {
  const auto place = places_.find(tag);
  if (place != places_.end()) return place->second;
  tags_.emplace_back(tag);
  return places_[tags_.back()] = static_cast<uint32_t>(tags_.size() - 1);
}

// The second last: where it is refused end() is as before.
void DocumentFacts::fill_to(uint64_t end) {
  const uint64_t count = std::max(end, this->end()) - first_;
  tag_of_.resize(count);
  times_.resize(count);
}

Result<uint64_t> write_facts(const std::string& path, const DocumentFacts& facts) {
  std::string bytes = begin_frame(kFactsKind);
  append_little(bytes, facts.first_);
  append_varint(bytes, facts.tags_.size() - 1);
  for (size_t i = 1; i < facts.tags_.size(); ++i) {
    append_varint(bytes, facts.tags_[i].size());
    bytes += facts.tags_[i];
  }
  int64_t before = 0;
  for (size_t begin = 0, end = 0; begin < facts.times_.size(); begin = end) {
    while (end < facts.times_.size() && facts.times_[end] == facts.times_[begin] &&
           facts.tag_of_[end] == facts.tag_of_[begin])
      ++end;
    append_varint(bytes, end - begin);
    append_varint(bytes, step_to(facts.times_[begin], before));
    append_varint(bytes, facts.tag_of_[begin]);
    before = facts.times_[begin];
  }
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<FactsFile> read_facts(const std::string& path, uint64_t most) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  return parse_facts(bytes, path, most);
}

Result<FactsFile> parse_facts(std::string_view bytes, std::string_view path, uint64_t most) {
  const bool is_old = is_listed(bytes);
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, is_old ? kListedKind : kFactsKind, path));
  ByteReader reader(payload);
  FactsFile file{DocumentFacts(reader.number<uint64_t>()), frame_checksum(bytes)};
  std::vector<std::string_view> tags{""};
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) tags.push_back(reader.piece(reader.varint()));
  if (file.facts.first() > UINT64_MAX - most) return damaged_file(kFactsKind, path, "its first number");
  for (Run run; reader.ok() && !reader.rest().empty();) {
    run = next_run(reader, run.time, is_old);
    if (run.tag >= tags.size()) return damaged_file(kFactsKind, path, "a tag that there is not");
    if (run.count > most - (file.facts.end() - file.facts.first()))
      return damaged_file(kFactsKind, path, "more documents than its log has");
    for (; run.count > 0; --run.count) file.facts.add(file.facts.end(), run.time, tags[run.tag]);
  }
  if (!reader.ok()) return damaged_file(kFactsKind, path, "it ends too early");
  return file;
}

}  // namespace neardup::store

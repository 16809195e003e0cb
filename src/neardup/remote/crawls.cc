#include "neardup/remote/crawls.h"

#include <algorithm>
#include <utility>

#include "neardup/base/bytes.h"

namespace neardup::remote {
namespace {

constexpr uint8_t kVersion = 1;

auto damaged() {
  return fail(Code::kCorruption, "the list of open tags of the store is damaged; restore it from a copy");
}

}  // namespace

Result<Crawls> Crawls::parse(std::string_view bytes) {
  Crawls crawls;
  if (bytes.empty()) return crawls;
  ByteReader reader(bytes);
  if (reader.number<uint8_t>() != kVersion) return damaged();
  crawls.is_copied_into_ = reader.number<uint8_t>() != 0;
  crawls.next_generation_ = reader.varint();
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    Open open{.tag = std::string(reader.text()), .generation = reader.varint(), .nonce = 0};
    open.nonce = reader.number<uint64_t>();
    crawls.open_.push_back(std::move(open));
  }
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    Ended ended{.tag = std::string(reader.text()), .generation = reader.varint(), .keeps = false, .nonce = 0};
    ended.keeps = reader.number<uint8_t>() != 0;
    ended.nonce = reader.number<uint64_t>();
    crawls.num_committed_ += ended.keeps ? 1 : 0;
    crawls.ended_.push_back(std::move(ended));
  }
  if (!reader.ok() || !reader.rest().empty()) return damaged();
  return crawls;
}

std::string Crawls::bytes() const {
  std::string bytes(1, static_cast<char>(kVersion));
  bytes += static_cast<char>(is_copied_into_ ? 1 : 0);
  append_varint(bytes, next_generation_);
  append_varint(bytes, open_.size());
  for (const Open& open : open_) {
    append_text(bytes, open.tag);
    append_varint(bytes, open.generation);
    append_little(bytes, open.nonce);
  }
  append_varint(bytes, ended_.size());
  for (const Ended& ended : ended_) {
    append_text(bytes, ended.tag);
    append_varint(bytes, ended.generation);
    bytes += static_cast<char>(ended.keeps ? 1 : 0);
    append_little(bytes, ended.nonce);
  }
  return bytes;
}

const Crawls::Open* Crawls::find(std::string_view tag) const {
  const auto found = std::ranges::find(open_, tag, &Open::tag);
  return found == open_.end() ? nullptr : &*found;
}

const Crawls::Ended* Crawls::find_ended(uint64_t generation) const {
  const auto found = std::ranges::find(ended_, generation, &Ended::generation);
  return found == ended_.end() ? nullptr : &*found;
}

uint64_t Crawls::scope_of(std::string_view tag) const {
  if (open_.empty() || tag.empty()) return 0;
  const Open* open = find(tag);
  return open == nullptr ? 0 : open->generation;
}

bool Crawls::is_open(uint64_t scope) const {
  return scope != 0 && std::ranges::find(open_, scope, &Open::generation) != open_.end();
}

bool Crawls::is_cancelled(uint64_t scope) const {
  if (scope == 0 || ended_.size() == num_committed_) return false;
  const Ended* found = find_ended(scope);
  return found != nullptr && !found->keeps;
}

size_t Crawls::order_of(uint64_t scope) const {
  if (scope == 0 || num_committed_ == 0) return 0;
  size_t order = 0;
  for (const Ended& ended : ended_) {
    order += ended.keeps ? 1 : 0;
    if (ended.generation == scope) return ended.keeps ? order : 0;
  }
  return 0;
}

void Crawls::begin(std::string_view tag, uint64_t nonce) {
  open_.push_back({std::string(tag), next_generation_++, nonce});
}

void Crawls::end(std::string_view tag, bool keeps, uint64_t nonce) {
  const auto found = std::ranges::find(open_, tag, &Open::tag);
  ended_.push_back({std::move(found->tag), found->generation, keeps, nonce});
  num_committed_ += keeps ? 1 : 0;
  open_.erase(found);
}

void Crawls::forget(uint64_t generation) {
  const auto found = std::ranges::find(ended_, generation, &Ended::generation);
  if (found == ended_.end()) return;
  num_committed_ -= found->keeps ? 1 : 0;
  ended_.erase(found);
}

}  // namespace neardup::remote

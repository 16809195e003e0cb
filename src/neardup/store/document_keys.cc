#include "neardup/store/document_keys.h"

#include "neardup/base/hash.h"

namespace neardup::store {
namespace {

enum Salt : uint64_t {
  kIdSalt = 0x6964,
  kTagSalt = 0x746167,
  kTextSalt = 0x74657874,
  kBandSalt = 0x62616e64,
  kPassageSalt = 0x70617373,
  kKeptSalt = 0x6b657074
};

constexpr size_t kMostOthers = 3;  // keys of a document that are neither bands nor passages

}  // namespace

uint64_t id_key(std::string_view id) { return hash64(id, kIdSalt); }
uint64_t tag_key(std::string_view tag) { return hash64(tag, kTagSalt); }
uint64_t kept_key(uint64_t kept) { return mix64(mix64(kept) ^ kKeptSalt); }

std::vector<uint64_t> keys_of_stored(const Record& document, ByText by_text) {
  const DocumentKeys own({&document, 1});
  std::vector<uint64_t> keys(own.all(0).begin(), own.all(0).end());
  if (by_text == ByText::kNo) keys.erase(keys.begin() + DocumentKeys::kTextPlace);
  if (document.fate.kind != Kind::kNew) keys.push_back(kept_key(document.fate.kept));
  return keys;
}

void DocumentKeys::add_salted(std::span<const uint64_t> hashes, uint64_t salt) {
  for (const uint64_t hash : hashes) keys_.push_back(mix64(hash ^ salt));
}

DocumentKeys::DocumentKeys(std::span<const Record> documents) {
  begins_.reserve(documents.size() + 1);
  bands_.reserve(documents.size());
  passages_.reserve(documents.size());
  most_sharing_.reserve(documents.size());
  size_t most = 0;
  for (const Record& document : documents) most += kMostOthers + document.keys.size() + document.passages.size();
  keys_.reserve(most);
  for (const Record& document : documents) {
    keys_.push_back(id_key(document.id));
    keys_.push_back(mix64(document.checksum.low ^ hash64(document.within, kTextSalt)));
    if (!document.tag.empty()) keys_.push_back(tag_key(document.tag));
    bands_.push_back(keys_.size());
    add_salted(document.keys, hash64(document.within, kBandSalt));
    passages_.push_back(keys_.size());
    add_salted(document.passages, hash64(document.within, kPassageSalt));
    begins_.push_back(keys_.size());
    most_sharing_.push_back(document.most_sharing);
  }
}

}  // namespace neardup::store

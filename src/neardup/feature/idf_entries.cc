#include "neardup/feature/idf_entries.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <cstring>
#include <memory>

#include "neardup/base/file.h"

namespace neardup::feature {
namespace {

constexpr std::array<char, 8> kMagic = {'N', 'D', 'U', 'P', 'I', 'D', 'F', '\n'};
constexpr uint32_t kVersion = 1;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kVersion;
  uint32_t median_df = 0;
  uint64_t num_documents = 0;
  uint64_t num_tokens = 0;
  uint64_t num_entries = 0;
};
static_assert(sizeof(Header) == 40);

struct Checksum {
  std::array<unsigned char, 16> bytes{};  // canonical form of XXH3-128, big endian
  bool operator==(const Checksum&) const = default;
};

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

std::string_view bytes_of(const std::vector<IdfEntry>& entries) {
  return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(IdfEntry)};
}

Header header_of(const IdfCounts& counts) {
  return {kMagic, kVersion, counts.median_df, counts.num_documents, counts.num_tokens, counts.entries.size()};
}

XXH128_hash_t digest(std::string_view header, std::string_view body) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  XXH3_128bits_update(state.get(), header.data(), header.size());
  XXH3_128bits_update(state.get(), body.data(), body.size());
  return XXH3_128bits_digest(state.get());
}

Checksum checksum_of(std::string_view header, std::string_view body) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, digest(header, body));
  Checksum checksum;
  std::memcpy(checksum.bytes.data(), canonical.digest, checksum.bytes.size());
  return checksum;
}

tl::unexpected<Error> corrupt(const std::string& where, const std::string& what) {
  return fail(Code::kCorruption,
              fmt::format("'{}' is not a whole IDF dictionary: {}; train it again with 'neardup idf'", where, what));
}

Result<Header> parse_header(std::string_view bytes, const std::string& where) {
  constexpr size_t kFrame = sizeof(Header) + sizeof(Checksum);
  if (bytes.size() < kFrame) return corrupt(where, fmt::format("{} bytes, at least {} expected", bytes.size(), kFrame));
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kMagic) return corrupt(where, "it does not begin with 'NDUPIDF'");
  if (header.version != kVersion) {
    return corrupt(where, fmt::format("format version {}, this program reads {}", header.version, kVersion));
  }
  const size_t body = bytes.size() - kFrame;
  if (body % sizeof(IdfEntry) != 0 || header.num_entries != body / sizeof(IdfEntry)) {
    return corrupt(where, fmt::format("{} bytes of entries, {} entries of {} bytes expected", body, header.num_entries,
                                      sizeof(IdfEntry)));
  }
  return header;
}

Status check_contents(const IdfCounts& counts, const std::string& where) {
  if (counts.num_tokens < counts.entries.size()) return corrupt(where, "more entries than tokens");
  if (counts.median_df > counts.num_documents || (counts.median_df == 0) != (counts.num_tokens == 0)) {
    return corrupt(where, fmt::format("a median of {} of {} documents", counts.median_df, counts.num_documents));
  }
  for (size_t i = 0; i < counts.entries.size(); ++i) {
    const IdfEntry& entry = counts.entries[i];
    if (i > 0 && counts.entries[i - 1].hash() >= entry.hash()) {
      return corrupt(where, fmt::format("entry {} is not in ascending order", i));
    }
    if (entry.num_documents == 0 || entry.num_documents > counts.num_documents) {
      return corrupt(where,
                     fmt::format("entry {} is in {} of {} documents", i, entry.num_documents, counts.num_documents));
    }
  }
  return {};
}

}  // namespace

Hash128 idf_checksum(const IdfCounts& counts) {
  const XXH128_hash_t value = digest(bytes_of(header_of(counts)), bytes_of(counts.entries));
  return {value.high64, value.low64};
}

Status write_idf_file(const IdfCounts& counts, const std::string& path) {
  const Header header = header_of(counts);
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write(bytes_of(header)));
  NEARDUP_TRY(file.write(bytes_of(counts.entries)));
  NEARDUP_TRY(file.write(bytes_of(checksum_of(bytes_of(header), bytes_of(counts.entries)))));
  return file.commit();
}

Result<IdfCounts> parse_idf(std::string_view bytes, const std::string& where) {
  NEARDUP_ASSIGN(const Header header, parse_header(bytes, where));
  const std::string_view body = bytes.substr(sizeof(Header), header.num_entries * sizeof(IdfEntry));
  Checksum stored;
  std::memcpy(stored.bytes.data(), bytes.data() + sizeof(Header) + body.size(), sizeof(stored));
  if (stored != checksum_of(bytes.substr(0, sizeof(Header)), body)) return corrupt(where, "its checksum does not fit");
  IdfCounts counts{header.num_documents, header.num_tokens, header.median_df, {}};
  counts.entries.resize(header.num_entries);
  if (!body.empty()) std::memcpy(counts.entries.data(), body.data(), body.size());
  NEARDUP_TRY(check_contents(counts, where));
  return counts;
}

}  // namespace neardup::feature

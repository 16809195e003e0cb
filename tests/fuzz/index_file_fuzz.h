// An index file from outside, read as it is and with checksums that fit; what opens is asked, mapped sections and all.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/hamming/index_file.h"
#include "neardup/hamming/index_file_layout.h"

/// Returns `bytes` with the checksums and the footer that its lengths ask for.
inline std::string with_fitting_index_checksums(std::string bytes) {
  using namespace neardup::hamming;
  const auto put = [&](size_t at, uint64_t value) {
    std::string number;
    neardup::append_little(number, value);
    bytes.replace(at, 8, number);
  };
  const FixedHeader fixed = read_fixed_header(bytes);
  if (bytes.size() < kFixedHeaderBytes + 8 + kFooterBytes || fixed.header_bytes < kFixedHeaderBytes + 8 ||
      fixed.header_bytes > bytes.size() - kFooterBytes)
    return bytes;
  put(16, bytes.size());
  uint64_t at = kFixedHeaderBytes + uint64_t{fixed.num_tables} * (8 + uint64_t{fixed.num_bits});
  for (uint32_t i = 0; i < fixed.num_sections && at + kSectionEntryBytes <= fixed.header_bytes;
       ++i, at += kSectionEntryBytes) {
    neardup::ByteReader entry(std::string_view(bytes).substr(at + 4 + kMaxSectionName));
    const auto offset = entry.number<uint64_t>(), size = entry.number<uint64_t>();
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    put(at + kSectionEntryBytes - 8, neardup::hash64(std::string_view(bytes).substr(offset, size)));
  }
  const uint64_t checksum = neardup::hash64(std::string_view(bytes).substr(0, fixed.header_bytes - 8));
  put(fixed.header_bytes - 8, checksum);
  return bytes.replace(bytes.size() - kFooterBytes, kFooterBytes, footer_bytes(checksum));
}

template <neardup::fingerprint::AnyFingerprint F>
void ask_fuzzed_index(const neardup::hamming::IndexFile& file) {
  using namespace neardup::hamming;
  const auto index = StaticIndex<F>::open(file);
  if (!index) {
    if (index.error().message.empty()) std::abort();
    return;
  }
  // Room for all documents, as a merge makes it: the file has bytes for each.
  if (index->size() > file.size_bytes() + index->num_distinct()) std::abort();
  if (index->num_distinct() <= 1000) {
    std::vector<std::pair<F, uint64_t>> held;
    held.reserve(index->size());
    uint64_t visited = 0;
    index->for_each([&](F, uint64_t) { ++visited; });
    if (visited > index->num_distinct() * (file.size_bytes() + 1)) std::abort();
  }
  double probes = 0;
  for (const TableLayout& table : index->plan().tables) probes += num_probes(table);
  if (probes > 1e4 || index->num_distinct() > 1000) return;
  std::vector<Match<F>> matches;
  const int distance = index->plan().max_distance;
  index->query(F{0x0123456789abcdef}, distance, matches);
  for (const Match<F>& match : matches)
    if (match.distance > distance) std::abort();
}

inline void fuzz_index_file_bytes(std::string_view bytes, bool verify) {
  using namespace neardup::hamming;
  // Sections are used where they lie, at addresses like those of a mapped file; nothing beyond the end is there.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  bytes.copy(reinterpret_cast<char*>(aligned.data()), bytes.size());
  const auto file =
      IndexFile::from_bytes({reinterpret_cast<const char*>(aligned.data()), bytes.size()}, "fuzz", verify);
  if (!file) {
    if (file.error().message.empty()) std::abort();
    return;
  }
  if (file->header().plan.num_bits == 64) ask_fuzzed_index<neardup::fingerprint::Fingerprint>(*file);
  if (file->header().plan.num_bits == 128) ask_fuzzed_index<neardup::fingerprint::Fingerprint128>(*file);
}

inline int fuzz_index_file(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz_index_file_bytes(bytes, false);
  fuzz_index_file_bytes(bytes, true);
  fuzz_index_file_bytes(with_fitting_index_checksums(bytes), true);
  return 0;
}

// A fingerprint file from outside. The bytes are read twice: as they are, and with the checksums made to fit, without
// which nearly every input would stop there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/fingerprint/file.h"
#include "neardup/fingerprint/file_layout.h"
#include "neardup/recipe/spec.h"

inline void fuzz_fingerprint_file_bytes(std::string_view bytes) {
  using namespace neardup::fingerprint;
  auto reader = FileReader::from_bytes(bytes, "fuzz");
  if (!reader) {
    if (reader.error().message.empty()) std::abort();
    return;
  }
  // As `neardup pairs` does with signatures: the checksums fit, yet the recipe may be anything.
  if (const auto recipe = neardup::recipe::recipe_from_json(reader->header().recipe_json);
      !recipe && recipe.error().message.empty())
    std::abort();
  uint64_t num_records = 0, id_bytes = 0;
  for (;;) {
    const auto records = reader->next();
    if (!records) return;
    if (records->empty()) break;
    for (const Record& record : *records) {
      ++num_records;
      id_bytes += record.id.size();
      if (!record.fingerprints.empty() && record.fingerprints.size() != reader->header().num_columns) std::abort();
      if (!record.signature.empty() && record.signature.size() != reader->header().num_values) std::abort();
      if (!record.signature.empty() && !record.fingerprints.empty()) std::abort();
      for (const SignatureValue value : record.signature) id_bytes += value == 0 ? 0 : 0;
      for (const char c : record.id) id_bytes += c == 0 ? 0 : 0;  // reads every byte
      for (const Fingerprint value : record.fingerprints) num_records += value == 0 ? 0 : 0;
    }
  }
  if (num_records != reader->num_records() || id_bytes > bytes.size()) std::abort();
}

/// Returns `bytes` with the checksums of header, blocks and footer that its lengths ask for.
inline std::string with_fitting_checksums(std::string bytes) {
  using namespace neardup::fingerprint;
  const auto put = [&](size_t at, uint64_t value) {
    std::string number;
    neardup::append_little(number, value);
    bytes.replace(at, 8, number);
  };
  const auto get = [&](size_t at, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
  };
  if (bytes.size() < kHeaderFixedBytes + 8 + kFooterBytes) return bytes;
  size_t at = kHeaderFixedBytes + get(16, 4) + get(20, 4);
  const size_t footer = bytes.size() - kFooterBytes;
  if (at + 8 > footer) return bytes;
  uint64_t chain = neardup::hash64(std::string_view(bytes).substr(0, at));
  put(at, chain);
  uint64_t num_records = 0;
  for (at += 8; at + kBlockHeaderBytes <= footer;) {
    const uint64_t size = get(at + 8, 8);
    if (size > footer - at - kBlockHeaderBytes) break;
    const std::string_view view(bytes);
    const uint64_t seed = neardup::hash64(view.substr(at, kBlockHeaderBytes - 8));
    const uint64_t checksum = neardup::hash64(view.substr(at + kBlockHeaderBytes, size), seed);
    num_records += get(at, 4);
    put(at + kBlockHeaderBytes - 8, checksum);
    chain = next_chain(chain, checksum);
    at += kBlockHeaderBytes + size;
  }
  put(footer + 8, num_records);
  put(footer + 16, chain);
  put(footer + 24, neardup::hash64(std::string_view(bytes).substr(footer, kFooterBytes - 8)));
  return bytes;
}

inline int fuzz_fingerprint_file(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_fingerprint_file_bytes(bytes);
  fuzz_fingerprint_file_bytes(with_fitting_checksums(std::string(bytes)));
  return 0;
}

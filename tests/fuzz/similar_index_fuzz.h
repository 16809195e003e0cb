// Catalogues and records of an index of fingerprints. A catalogue is read twice: as it is, and with a checksum that
// fits put at the end, without which nearly every input would stop there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"
#include "neardup/sif/index_format.h"

inline void fuzz_catalogue(std::string_view bytes) {
  using namespace neardup::sif;
  const auto catalogue = parse_catalogue(bytes, "fuzz");
  if (!catalogue) {
    if (catalogue.error().code != neardup::Code::kCorruption) std::abort();
    if (catalogue.error().message.find("'fuzz'") == std::string::npos) std::abort();
    return;
  }
  if (parse_catalogue(catalogue_bytes(*catalogue), "fuzz").value() != *catalogue) std::abort();
}

inline int fuzz_similar_index(const uint8_t* data, size_t size) {
  using namespace neardup::sif;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_catalogue(bytes);
  if (size >= neardup::kFrameFooterBytes) {
    std::string whole(bytes.substr(0, size - neardup::kFrameFooterBytes));
    neardup::end_frame(whole);
    fuzz_catalogue(whole);
  }
  FileFingerprints record;
  if (parse_record(bytes, record)) {
    FileFingerprints again;
    if (!parse_record(record_bytes(record), again) || again != record) std::abort();
  }
  return 0;
}

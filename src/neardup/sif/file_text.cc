#include "neardup/sif/file_text.h"

#include <algorithm>

#include "neardup/sif/file_bytes.h"
#include "neardup/sif/fold_code.h"

namespace neardup::sif {
namespace {

constexpr uint64_t kMostBytes = UINT32_MAX;      // of a file: sums of its weights have 32 bits
constexpr size_t kKeptBytes = size_t{16} << 20;  // room for larger files is not kept for the next one

}  // namespace

// Beside its bytes there are its fingerprints, fine ones too, and the record of them for an index.
uint64_t most_file_bytes(uint64_t memory_bytes) { return std::min(memory_bytes / 6, kMostBytes); }

Status TextReader::load(const std::string& path, uint32_t language) {
  NEARDUP_TRY(load_bytes(path, limit_bytes_, bytes_));
  is_folded_ = language != 0;
  if (is_folded_) fold_code(bytes_, language, folded_);
  return {};
}

void TextReader::release() {
  if (bytes_.capacity() <= kKeptBytes) return;
  std::string().swap(bytes_);
  std::string().swap(folded_);
}

}  // namespace neardup::sif

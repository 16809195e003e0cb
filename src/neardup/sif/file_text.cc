#include "neardup/sif/file_text.h"

#include <algorithm>

#include "neardup/sif/file_bytes.h"
#include "neardup/sif/fold_code.h"
#include "neardup/sif/fold_space.h"

namespace neardup::sif {
namespace {

constexpr uint64_t kMostBytes = UINT32_MAX;      // of a file: sums of its weights have 32 bits
constexpr size_t kKeptBytes = size_t{16} << 20;  // room for larger files is not kept for the next one

}  // namespace

// Beside its bytes there are its fingerprints, fine ones too, and the record of them for an index.
uint64_t most_file_bytes(uint64_t memory_bytes) { return std::min(memory_bytes / 6, kMostBytes); }

bool fold_text(std::string_view bytes, uint32_t language, Fold fold, std::string& out, std::vector<Origin>* origins) {
  if (fold == Fold::kNone || (language == 0 && is_binary(bytes))) return false;
  language != 0 ? fold_code(bytes, language, out, origins) : fold_space(bytes, out, origins);
  return true;
}

Result<uint64_t> TextReader::load(const std::string& path, uint32_t language, uint64_t most_bytes) {
  was_short_ = false;
  NEARDUP_ASSIGN(const uint64_t disk_bytes, load_bytes(path, std::min(most_bytes, limit_bytes_), bytes_, &was_short_));
  is_folded_ = fold_text(bytes_, language, fold_, folded_);
  return disk_bytes;
}

void TextReader::release() {
  if (bytes_.capacity() <= kKeptBytes) return;
  std::string().swap(bytes_);
  std::string().swap(folded_);
}

}  // namespace neardup::sif

#include "neardup/corpus/output.h"

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace neardup::corpus {
namespace {

constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;
constexpr std::string_view kJsonSpace = " \t\r\n";

constexpr std::string_view kNoteMember = "\"neardup_duplicate_of\":", kClusterMember = ",\"neardup_cluster\":";

bool take(std::string_view& bytes, std::string_view expected) {
  if (!bytes.starts_with(expected)) return false;
  bytes.remove_prefix(expected.size());
  return true;
}

/// Takes a JSON string off `bytes`, which are valid JSON.
bool take_string(std::string_view& bytes) {
  size_t at = 1;
  while (at < bytes.size() && bytes[at] != '"') at += bytes[at] == '\\' ? 2 : 1;
  if (!bytes.starts_with('"') || at >= bytes.size()) return false;
  bytes.remove_prefix(at + 1);
  return true;
}

bool take_number(std::string_view& bytes) {
  const size_t digits = std::min(bytes.find_first_not_of("0123456789"), bytes.size());
  bytes.remove_prefix(digits);
  return digits > 0;
}

/// Returns where the members of a note begin, as the last two of the object that ends at `brace`; npos where they are
/// not. A quote in a string has a \ before it, so the name is found as a name alone.
size_t begin_of_notes(std::string_view record, size_t brace) {
  const size_t begin = record.rfind(kNoteMember, brace);
  if (begin == std::string_view::npos || begin == 0) return std::string_view::npos;
  std::string_view rest = record.substr(begin + kNoteMember.size(), brace - begin - kNoteMember.size());
  const bool is_note = (take(rest, "null") || take_string(rest)) && take(rest, kClusterMember) &&
                       (take(rest, "null") || take_number(rest)) && rest.empty();
  const size_t before = record.find_last_not_of(kJsonSpace, begin - 1);
  const bool is_member = before != std::string_view::npos && (record[before] == ',' || record[before] == '{');
  return is_note && is_member ? begin : std::string_view::npos;
}

Result<std::string> compress_gzip(std::string_view bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kGzipLevel), &libdeflate_free_compressor);
  if (compressor == nullptr) return fail(Code::kMemory, "cannot get memory for a gzip compressor");
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Result<std::string> compress_zstd(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (context == nullptr) return fail(Code::kMemory, "cannot get memory for a zstd compressor");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) return fail(Code::kMemory, std::string("zstd cannot compress: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

}  // namespace

Result<std::string> compress(Compression compression, std::string_view bytes) {
  if (compression == Compression::kGzip) return compress_gzip(bytes);
  if (compression == Compression::kZstd) return compress_zstd(bytes);
  return std::string(bytes);
}

void append_annotated_json(std::string& out, std::string_view record, std::string_view members) {
  const size_t brace = record.find_last_not_of(kJsonSpace);
  const bool has_brace = brace != std::string_view::npos && !members.empty();
  const size_t notes = has_brace ? begin_of_notes(record, brace) : std::string_view::npos;
  if (notes != std::string_view::npos) {
    out.append(record.substr(0, notes)).append(members).append(record.substr(brace));
    return;
  }
  const size_t last = brace == 0 ? std::string_view::npos : record.find_last_not_of(kJsonSpace, brace - 1);
  if (brace == std::string_view::npos || record[brace] != '}' || last == std::string_view::npos) std::abort();
  const bool is_empty = record[last] == '{';
  out.append(record.substr(0, brace));
  if (!is_empty && !members.empty()) out.push_back(',');
  out.append(members).append(record.substr(brace));
}

}  // namespace neardup::corpus

#include "neardup/engine/crawl/warc_output.h"

#include <fmt/format.h>

#include "neardup/base/disk/stale_temporaries.h"
#include "neardup/corpus/output.h"

namespace neardup::engine {
namespace {

constexpr std::string_view kEmptyLinesBehind = "\r\n\r\n";

}  // namespace

Result<corpus::Compression> compression_of_warc(const std::string& path) {
  for (const std::string_view ending : {".warc", ".wet"}) {
    if (path.ends_with(fmt::format("{}.gz", ending))) return corpus::Compression::kGzip;
    if (path.ends_with(fmt::format("{}.zst", ending))) return corpus::Compression::kZstd;
    if (path.ends_with(ending)) return corpus::Compression::kNone;
  }
  return fail(Code::kInvalidArgument,
              fmt::format("'{}' does not say how it is compressed: expected a name that ends with .warc.gz, .warc.zst "
                          "or .warc",
                          path));
}

Result<WarcOutput> WarcOutput::create(const std::string& path) {
  NEARDUP_ASSIGN(const corpus::Compression compression, compression_of_warc(path));
  NEARDUP_ASSIGN(AtomicFile file, create_output(path));
  return WarcOutput(std::move(file), compression);
}

Status WarcOutput::write(std::string_view record) {
  std::string bytes(record);
  bytes += kEmptyLinesBehind;
  if (compression_ == corpus::Compression::kNone) return file_.write(bytes);
  NEARDUP_ASSIGN(const std::string packed, corpus::compress(compression_, bytes));
  return file_.write(packed);
}

}  // namespace neardup::engine

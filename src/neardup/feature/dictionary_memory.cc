#include "neardup/feature/dictionary_memory.h"

#include <fmt/format.h>

#include "neardup/base/disk/file.h"

namespace neardup::feature {

Status check_dictionary_memory(const std::string& path, uint64_t times, uint64_t memory_bytes,
                               const std::string& cure) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  const uint64_t needed = info.size_bytes * times;
  if (needed <= memory_bytes / kDictionaryShare) return {};
  const auto megabytes = [](uint64_t bytes) { return (bytes >> 20) + 1; };
  return fail(Code::kMemory,
              fmt::format("'{}' takes {} MB of memory, more than a quarter of --memory {}M; give --memory {}M, or {}",
                          path, megabytes(needed), memory_bytes >> 20, megabytes(needed * kDictionaryShare), cure));
}

}  // namespace neardup::feature

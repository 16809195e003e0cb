#include "neardup/sif/file_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "neardup/base/disk/file.h"
#include "neardup/base/sizes.h"

namespace neardup::sif {

Status load_bytes(const std::string& path, uint64_t limit_bytes, std::string& bytes) {
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  const uint64_t size_bytes = file.size_bytes();
  if (size_bytes > limit_bytes)
    return fail(
        Code::kMemory,
        fmt::format("'{}' has {}, more than is read at once; raise the limit of memory (4 GiB of a file are the "
                    "most)",
                    path, human_bytes(static_cast<double>(size_bytes))));
  bytes.resize(size_bytes);
  NEARDUP_ASSIGN(const size_t got, file.read_at(0, std::span(bytes.data(), bytes.size())));
  bytes.resize(got);
  return {};
}

bool is_binary(std::string_view bytes) { return bytes.substr(0, 8192).find('\0') != std::string_view::npos; }

}  // namespace neardup::sif

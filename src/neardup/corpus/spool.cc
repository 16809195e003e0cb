#include <string>

#include "neardup/corpus/detect.h"
#include "neardup/corpus/input.h"

namespace neardup::corpus {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;
constexpr size_t kPeekBytes = size_t{1} << 16;

Status copy_to(int descriptor, const std::string& path) {
  ReadFile source = ReadFile::from_descriptor(descriptor, "standard input");
  NEARDUP_ASSIGN(AtomicFile target, AtomicFile::create(path));
  std::string buffer(kBufferBytes, '\0');
  while (true) {
    NEARDUP_ASSIGN(const size_t got, source.read_next(buffer));
    if (got == 0) return target.commit();
    NEARDUP_TRY(target.write(std::string_view(buffer).substr(0, got)));
  }
}

}  // namespace

Result<Input> spool(int descriptor, const std::string& path, const DiscoverOptions& options) {
  NEARDUP_TRY(copy_to(descriptor, path));
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  Input input;
  input.path = path;
  input.size_bytes = info.size_bytes;
  input.modified_ns = info.modified_ns;
  input.named = true;
  input.compression = compression_of_magic(peek(input, 4));
  input.format = options.format.value_or(begins_object(peek(input, kPeekBytes)) ? Format::kJsonl : Format::kText);
  input.name = input.format == Format::kJsonl ? "stdin.jsonl" : "stdin.txt";
  input.name += compression_extension(input.compression);
  return input;
}

}  // namespace neardup::corpus

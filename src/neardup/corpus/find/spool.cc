#include "neardup/corpus/find/spool.h"

#include <string>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/wait_for_bytes.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/formats/arc_line.h"

namespace neardup::corpus {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;
constexpr size_t kSpoolPeekBytes = size_t{1} << 16;

Status copy_to(int descriptor, const std::string& path, const Context& context) {
  ReadFile source = ReadFile::from_descriptor(descriptor, "standard input");
  NEARDUP_ASSIGN(AtomicFile target, AtomicFile::create(path));
  std::string buffer(kBufferBytes, '\0');
  while (true) {
    NEARDUP_TRY(wait_for_bytes(descriptor, "standard input", context));
    NEARDUP_ASSIGN(const size_t got, source.read_next(buffer));
    if (got == 0) return target.commit();
    NEARDUP_TRY(target.write(std::string_view(buffer).substr(0, got)));
  }
}

Result<Format> format_of(const Input& input, const DiscoverOptions& options) {
  NEARDUP_ASSIGN(const std::string bytes, peek(input, kSpoolPeekBytes));
  const std::string head = narrow(bytes);
  if (const auto format = format_of_magic(head)) return *format;
  if (begins_object(head)) {
    NEARDUP_ASSIGN(const bool is_text, is_one_object(input, options));
    return is_text ? Format::kText : Format::kJsonl;
  }
  return input.size_bytes == 0 ? Format::kLines : Format::kText;  // nothing came: no document, not an empty one
}

}  // namespace

Result<Input> spool(int descriptor, const std::string& path, const DiscoverOptions& options, const Context& context) {
  NEARDUP_TRY(copy_to(descriptor, path, context));
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  Input input;
  input.path = path;
  input.size_bytes = info.size_bytes;
  input.modified_ns = info.modified_ns;
  input.named = true;
  NEARDUP_ASSIGN(const std::string magic, peek(input, 4));
  input.compression = compression_of_magic(magic);
  NEARDUP_ASSIGN(input.format, options.format ? Result<Format>(*options.format) : format_of(input, options));
  NEARDUP_ASSIGN(const std::string head, peek(input, kForeignProbeBytes));
  if (const std::string why = input.format == Format::kText ? "" : why_wide(head); !why.empty())
    return fail(Code::kUnsupported, "cannot read standard input: it " + why);
  const bool is_arc = input.format == Format::kWarc && head.starts_with(kArcMark);
  input.name = "stdin" + std::string(is_arc ? ".arc" : row_of(input.format).extension);
  input.name += compression_extension(input.compression);
  return input;
}

}  // namespace neardup::corpus

#include "neardup/corpus/formats/text_load.h"

#include <algorithm>
#include <cstring>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"
#include "neardup/corpus/formats/lines.h"
#include "neardup/corpus/input_bytes.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

/// A file's bytes, or why there are none.
struct Content {
  std::string_view bytes;
  std::string reason;  // as in Rejection, empty where all is well
  std::string message;
};

Content refused(std::string reason, std::string message) { return {{}, std::move(reason), std::move(message)}; }

/// No reason where the file that begins with `head` may be text.
Content refuse_format(const Input& input, const ReadOptions& options, std::string_view head) {
  if (options.any_bytes) return {};
  std::string why = why_no_text_format(head, input.name);
  if (why.empty() && !input.named && input.pre.empty()) why = why_drawing(head);
  return why.empty() ? Content{} : refused("unsupported", "'" + input.path + "' " + why);
}

/// Of what is no text at all it is said rather than how long it is.
Result<Content> too_long(const Input& input, const ReadOptions& options) {
  if (!input.pre.empty())
    return refused("too_long", "the text of '" + input.path + "' is " + too_long_message(options));
  NEARDUP_ASSIGN(const std::string head, peek(input, kForeignProbeBytes));
  Content foreign = refuse_format(input, options, head);
  if (!foreign.reason.empty()) return foreign;
  return refused("too_long", "'" + input.path + "' is " + too_long_message(options));
}

Result<Content> read_plain(const Input& input, const ReadOptions& options, BatchBuffers& buffers) {
  if (input.size_bytes > options.max_record_bytes) return too_long(input, options);
  ask_for_memory(options, input.size_bytes, buffers);
  Arena& arena = buffers.arena;
  SourceFile file;
  const size_t size = static_cast<size_t>(input.size_bytes);
  char* out = arena.reserve(size);
  size_t got = 0;
  int error = file.open(input.path);
  if (error == 0) error = file.read_at(0, out, size, got);
  if (error != 0) {
    NEARDUP_TRY(check_failure(input.path, error));
    return refused("unreadable", "'" + input.path + "': " + std::strerror(error));
  }
  if (got < size) {
    return refused("truncated", "'" + input.path + "' ends at byte " + std::to_string(got) + " but had " +
                                    std::to_string(size) + " bytes when the run began");
  }
  arena.use(size);
  return Content{{out, size}, {}, {}};
}

/// Of a compressed file, or of one that a program makes text of.
Result<Content> read_packed(const Input& input, const ReadOptions& options, BatchBuffers& buffers) {
  NEARDUP_ASSIGN(InputBytes stream, InputBytes::open(input, options));
  const size_t limit = static_cast<size_t>(options.max_record_bytes);
  RawBuffer& room = buffers.unpacked;
  Arena& arena = buffers.arena;
  room.set_size(0);
  while (true) {
    ask_for_memory(options, room.size(), buffers);
    if (room.size() == room.capacity()) room.reserve(std::max(size_t{1} << 16, 2 * room.capacity()));
    NEARDUP_ASSIGN(const size_t got, stream.read(room.data() + room.size(), room.capacity() - room.size()));
    if (got == 0) break;
    room.set_size(room.size() + got);
    if (room.size() > limit) return too_long(input, options);
  }
  if (stream.damage()) return refused(stream.damage()->reason, stream.damage()->message);
  char* out = arena.reserve(room.size());
  if (room.size() != 0) std::memcpy(out, room.data(), room.size());
  arena.use(room.size());
  return Content{{out, room.size()}, {}, {}};
}

/// Why the bytes are no text; no reason where they may be some.
Content refuse_foreign(const Input& input, const ReadOptions& options, std::string_view bytes) {
  if (options.any_bytes) return {};
  Content format = refuse_format(input, options, bytes.substr(0, kForeignProbeBytes));
  if (!format.reason.empty()) return format;
  const std::string why = why_no_text(bytes, input.named);
  if (!why.empty() && options.any_encoding && is_wide(bytes)) return {};
  return why.empty() ? Content{} : refused("binary", "'" + input.path + "' " + why);
}

}  // namespace

Status load_text_files(const std::vector<Input>& inputs, const ReadOptions& options, Load what, Batch& batch) {
  BatchBuffers& buffers = *batch.buffers;
  const Unit& unit = buffers.unit;
  buffers.unpacked.clear(static_cast<size_t>(4 * options.batch_bytes));
  for (uint32_t i = unit.first_input; i < unit.first_input + unit.num_inputs; ++i) {
    const Input& input = inputs[i];
    if (!input.fault.empty()) {
      batch.rejections.push_back(
          {i, 0, input.is_wide ? "binary" : "unreadable", "'" + input.path + "': " + input.fault, {}});
      continue;
    }
    if (what == Load::kRecords && !input.pre.empty()) {  // it is the file that is copied, not what was made of it
      batch.documents.push_back({i, 0, true, input.name, {}, {}, {}, {}, {}, false});
      continue;
    }
    NEARDUP_ASSIGN(Content content,
                   input.is_packed() ? read_packed(input, options, buffers) : read_plain(input, options, buffers));
    Content foreign = content.reason.empty() ? refuse_foreign(input, options, content.bytes) : Content{};
    if (!foreign.reason.empty()) {
      const std::string_view excerpt = content.bytes.substr(0, kExcerptBytes);
      batch.rejections.push_back({i, 0, std::move(foreign.reason), std::move(foreign.message), std::string(excerpt)});
    } else if (!content.reason.empty()) {
      batch.rejections.push_back({i, 0, std::move(content.reason), std::move(content.message), {}});
    } else {
      const std::string_view text = without_byte_order_mark(content.bytes);
      batch.documents.push_back(
          {i, 0, true, input.name, text, content.bytes, {}, {}, {}, !options.any_encoding && is_hardly_utf8(text)});
    }
  }
  return {};
}

}  // namespace neardup::corpus

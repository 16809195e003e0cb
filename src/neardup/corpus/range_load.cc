#include "neardup/corpus/range_load.h"

#include <algorithm>
#include <cstring>

#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

constexpr size_t kReadAheadBytes = size_t{1} << 14;  // usually enough for the end of the last line

class RangeLoad {
 public:
  RangeLoad(const Input& input, const ReadOptions& options, BatchBuffers& buffers)
      : input_(input),
        options_(options),
        buffers_(buffers),
        raw_(buffers.raw),
        // The byte before the range tells whether a line starts at its begin.
        first_(buffers.unit.begin == 0 ? 0 : buffers.unit.begin - 1) {}

  Status run() {
    buffers_.begin = buffers_.end = 0;
    buffers_.tail.reset();
    raw_.clear(static_cast<size_t>(2 * options_.batch_bytes) + 4 * kReadAheadBytes);
    if (const int error = file_.open(input_.path); error != 0) return refuse(error);
    const size_t range_bytes = static_cast<size_t>(buffers_.unit.end - first_);
    if (const int error = read_more(range_bytes + kReadAheadBytes); error != 0) return refuse(error);
    buffers_.end = std::min(range_bytes, raw_.size());
    find_first_line();
    if (const int error = complete_last_line(); error != 0) return refuse(error);
    if (is_short()) reject_truncated();
    return {};
  }

 private:
  /// The file ended before the size it had at discovery.
  [[nodiscard]] bool is_short() const { return file_end_ < input_.size_bytes; }

  int read_more(size_t size) {
    const uint64_t offset = first_ + raw_.size();
    const uint64_t left = input_.size_bytes > offset ? input_.size_bytes - offset : 0;
    const size_t want = static_cast<size_t>(std::min<uint64_t>(size, left));
    raw_.reserve(raw_.size() + want);
    size_t got = 0;
    const int error = file_.read_at(offset, raw_.data() + raw_.size(), want, got);
    raw_.set_size(raw_.size() + got);
    if (got < want) file_end_ = offset + got;
    has_all_ = got < want || offset + got == input_.size_bytes;
    return error;
  }

  void find_first_line() {
    if (first_ == buffers_.unit.begin) return;
    const size_t line_end = find_line_end({raw_.data(), buffers_.end}, 0);
    buffers_.begin = line_end == std::string_view::npos ? buffers_.end : line_end + 1;
  }

  int complete_last_line() {
    if (buffers_.begin >= buffers_.end) return 0;
    const size_t before = find_last_line_end(raw_.view().substr(buffers_.begin, buffers_.end - 1 - buffers_.begin));
    last_start_ = before == std::string_view::npos ? buffers_.begin : buffers_.begin + before + 1;
    size_t searched = buffers_.end - 1;
    while ((last_end_ = find_line_end(raw_.view(), searched)) == std::string_view::npos && !has_all_) {
      searched = raw_.size();
      const size_t limit = cut_length(options_.max_record_bytes);
      if (raw_.size() - last_start_ >= limit) break;
      const uint64_t allowed = limit - (raw_.size() - last_start_);
      const uint64_t more = std::max<uint64_t>(kReadAheadBytes, raw_.size());
      ask_for_memory(options_, raw_.size() + std::min(allowed, more), buffers_);
      if (const int error = read_more(static_cast<size_t>(std::min(allowed, more))); error != 0) return error;
    }
    return 0;
  }

  /// A half line at the end is not delivered: the batch that owns it reports. Else the batch in which the end lies
  /// does.
  void reject_truncated() {
    Rejection rejection;
    uint64_t half_bytes = 0;
    const bool owns_line = buffers_.begin < buffers_.end;
    if (owns_line && last_end_ == std::string_view::npos && has_all_) {
      rejection.excerpt = raw_.view().substr(last_start_, kExcerptBytes);
      half_bytes = raw_.size() - last_start_;
      buffers_.end = last_start_;
    } else {
      const bool ends_here = buffers_.unit.begin <= file_end_ && file_end_ < buffers_.unit.end;
      if (!ends_here || (file_end_ != 0 && (raw_.size() == 0 || raw_.view().back() != '\n'))) return;
    }
    rejection.reason = "truncated";
    rejection.message = "'" + input_.path + "' ends at byte " + std::to_string(file_end_) + " but had " +
                        std::to_string(input_.size_bytes) + " bytes when the run began";
    rejection.unread = Unread{.text_bytes = half_bytes + input_.size_bytes - file_end_};
    buffers_.tail = std::move(rejection);
  }

  /// Each unit tells of its own: one before may have been read, while the file still could be.
  Status refuse(int error) {
    NEARDUP_TRY(check_failure(input_.path, error));
    buffers_.begin = buffers_.end = 0;
    Rejection rejection;
    rejection.unread = Unread{.text_bytes = buffers_.unit.end - buffers_.unit.begin};
    rejection.reason = "unreadable";
    rejection.message =
        "'" + input_.path + "' from byte " + std::to_string(buffers_.unit.begin) + " on: " + std::strerror(error);
    buffers_.tail = std::move(rejection);
    return {};
  }

  const Input& input_;
  const ReadOptions& options_;
  BatchBuffers& buffers_;
  RawBuffer& raw_;
  const uint64_t first_;  // where raw begins in the file
  SourceFile file_;
  uint64_t file_end_ = UINT64_MAX;  // where the file was found to end
  bool has_all_ = false;            // raw reaches the file's end
  size_t last_start_ = 0;           // of the last line, in raw
  size_t last_end_ = 0;             // its \n
};

}  // namespace

Status load_range(const Input& input, const ReadOptions& options, BatchBuffers& buffers) {
  return RangeLoad(input, options, buffers).run();
}

Status load_lines(const ReadPlan& plan, Load what, LineUse use, Batch& batch) {
  if (!batch.buffers->is_stream) NEARDUP_TRY(load_range(plan.inputs[batch.first_input], plan.options, *batch.buffers));
  lines_to_documents(batch, what == Load::kDocuments ? use : LineUse::kRecordOnly, plan);
  return {};
}

}  // namespace neardup::corpus

#include "neardup/corpus/formats/csv_stream.h"

#include <algorithm>

#include "neardup/corpus/formats/csv_row.h"

namespace neardup::corpus {
namespace {

constexpr size_t kCsvReadBytes = size_t{1} << 16;
constexpr size_t kNotThere = std::string_view::npos;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

uint64_t count_line_ends(std::string_view bytes) {
  return static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

}  // namespace

Result<std::unique_ptr<CsvStream>> CsvStream::open(const Input& input, const ReadOptions& options,
                                                   const CsvDialect& dialect) {
  NEARDUP_ASSIGN(InputBytes bytes, InputBytes::open(input, options));
  std::unique_ptr<CsvStream> stream(new CsvStream(std::move(bytes), input, options, dialect));
  NEARDUP_TRY(stream->read_header());
  return stream;
}

/// The first row that is not blank.
Status CsvStream::read_header() {
  std::string head;
  size_t begin = 0;
  for (bool is_first = true;; is_first = false) {
    const size_t before = head.size();
    head.resize(before + kCsvReadBytes);
    NEARDUP_ASSIGN(const size_t got, bytes_.read(head.data() + before, kCsvReadBytes));
    head.resize(before + got);
    if (is_first) {
      begin = head.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0;
      splitter_.restart(begin);
    }
    size_t end = splitter_.find_end(head, begin + 1);
    for (; end != kNotThere && without_return({head.data() + begin, end - 1 - begin}).empty();
         end = splitter_.find_end(head, begin + 1))
      begin = end;
    if (end != kNotThere) return take_header(std::move(head), begin, end);
    if (head.size() >= cut_length(options_.max_record_bytes)) {  // blank lines before it are kept with it
      refuse_header("the header row is " + too_long_message(options_), {head.data() + begin, head.size() - begin});
      return {};
    }
    if (got == 0) return take_header(std::move(head), begin, kNotThere);
  }
}

/// Of [begin, end) of `head`, line end and all; without an end it is what the file ends with.
Status CsvStream::take_header(std::string head, size_t begin, size_t end) {
  const bool is_whole = end != kNotThere;
  const std::string_view row =
      without_return(std::string_view(head).substr(begin, is_whole ? end - 1 - begin : kNotThere));
  if (!is_whole && bytes_.damage()) {
    pending_ = Rejection{0,
                         0,
                         bytes_.damage()->reason,
                         bytes_.damage()->message,
                         std::string(row.substr(0, kExcerptBytes)),
                         bytes_.unread_behind(head.size() - begin)};
    at_end_ = true;
    return {};
  }
  at_end_ = !is_whole;
  if (row.empty()) return {};  // nothing but blank lines
  auto header = parse_csv_header(row, dialect_, options_);
  if (!header) {
    refuse_header(header.error().message, row);
    return {};
  }
  header->bytes = head.substr(0, is_whole ? end - 1 : head.size());
  header->row_begin = begin;
  header->num_lines = count_line_ends(header->bytes) + 1;
  pending_lines_ = header->num_lines;
  splitter_.set_columns(header->num_columns);
  header_ = std::make_shared<const CsvHeader>(std::move(*header));
  position_ = is_whole ? end : head.size();
  rest_ = head.substr(std::min<size_t>(position_, head.size()));
  return {};
}

void CsvStream::refuse_header(const std::string& why, std::string_view excerpt) {
  Unread lost = whole_;
  if (lost == Unread{}) lost.text_bytes = excerpt.size();  // nobody knows how much a program will give
  pending_ = Rejection{0,
                       0,
                       "invalid_csv",
                       "'" + path_ + "': " + why + ": none of its rows is read",
                       std::string(excerpt.substr(0, kExcerptBytes)),
                       lost};
  at_end_ = true;
}

/// How many bytes from position_ on the next batch has at least.
size_t CsvStream::least_bytes(uint64_t end_byte) const {
  if (!is_plain_) return static_cast<size_t>(options_.batch_bytes);
  return end_byte > position_ ? static_cast<size_t>(end_byte - position_) : 0;
}

void CsvStream::begin(BatchBuffers& buffers) {
  buffers.raw.clear(static_cast<size_t>(2 * options_.batch_bytes) + 4 * kCsvReadBytes);
  buffers.begin = buffers.end = 0;
  buffers.csv_header = header_;
  buffers.csv_cuts.clear();
  buffers.first_line = std::exchange(pending_lines_, 0);
  buffers.tail = std::exchange(pending_, {});
  splitter_.restart(0);
}

Result<bool> CsvStream::fill(uint64_t end_byte, BatchBuffers& buffers) {
  begin(buffers);
  const size_t least = least_bytes(end_byte);
  if (least > 0 && header_ != nullptr && !(at_end_ && rest_.empty())) NEARDUP_TRY(split(least, buffers));
  buffers.end = buffers.raw.size();
  const bool tells_header = header_ != nullptr && !std::exchange(began_, true);
  return is_plain_ || buffers.end != 0 || buffers.tail.has_value() || tells_header;
}

Result<size_t> CsvStream::read_more(size_t least, RawBuffer& raw) {
  const size_t size = raw.size();
  const size_t want =
      size < least ? std::min(least - size + kCsvReadBytes / 4, std::max(size, 4 * kCsvReadBytes)) : kCsvReadBytes;
  if (size + want > raw.capacity()) raw.reserve(std::max(size + want, 2 * raw.capacity()));
  NEARDUP_ASSIGN(const size_t got, bytes_.read(raw.data() + size, want));
  raw.set_size(size + got);
  return got;
}

/// Fills raw with whole records of `least` bytes or more; what a cut takes away counts too.
Status CsvStream::split(size_t least, BatchBuffers& buffers) {
  RawBuffer& raw = buffers.raw;
  const auto take_rest = [&] {
    raw.reserve(raw.size() + rest_.size());
    rest_.copy(raw.data() + raw.size(), rest_.size());
    raw.set_size(raw.size() + rest_.size());
    rest_.clear();
  };
  take_rest();
  uint64_t missing = 0;  // bytes of the file between the begin of raw and its end that are not in it
  while (true) {
    const size_t least_raw = least > missing ? static_cast<size_t>(least - missing) : 0;
    const size_t end = splitter_.find_end(raw.view(), least_raw);
    if (end != kNotThere) {
      rest_.assign(raw.data() + end, raw.size() - end);
      raw.set_size(end);
      break;
    }
    if (raw.size() - splitter_.last_start() >= cut_length(options_.max_record_bytes)) {
      NEARDUP_TRY(cut_record(buffers));
      missing += buffers.csv_cuts.back().missing_bytes;
      splitter_.restart(raw.size());
      if (at_end_) finish(buffers);
      if (at_end_ || raw.size() + missing >= least) break;
      take_rest();
      continue;
    }
    if (raw.size() > least_raw) ask_for_memory(options_, raw.size(), buffers);
    NEARDUP_ASSIGN(const size_t got, read_more(least_raw, raw));
    if (got != 0) continue;
    finish(buffers);
    break;
  }
  position_ += raw.size() + missing;
  return {};
}

/// Leaves so much of the last record that it is longer than allowed, and reads over the rest of it.
Status CsvStream::cut_record(BatchBuffers& buffers) {
  RawBuffer& raw = buffers.raw;
  CsvCut cut;
  cut.begin = splitter_.last_start();
  cut.end = cut.begin + cut_length(options_.max_record_bytes);
  const std::string_view gone = raw.view().substr(cut.end);
  cut.missing_bytes = gone.size();
  cut.missing_lines = count_line_ends(gone);
  raw.set_size(cut.end);
  splitter_.forget();
  rest_.resize(kCsvReadBytes);
  while (true) {
    NEARDUP_ASSIGN(const size_t got, bytes_.read(rest_.data(), rest_.size()));
    const size_t found = splitter_.find_end({rest_.data(), got}, 0);
    const size_t end = std::min(found, got);
    cut.missing_bytes += end;
    cut.missing_lines += count_line_ends({rest_.data(), end});
    if (found == kNotThere && got != 0) {
      splitter_.forget();
      continue;
    }
    rest_ = rest_.substr(end, got - end);
    at_end_ = got == 0;
    cut.has_open_quote = at_end_ && splitter_.is_quoted();
    buffers.csv_cuts.push_back(cut);
    return {};
  }
}

/// At the end of the file: where it is damaged its last, half record is not delivered but shown in the rejection.
void CsvStream::finish(BatchBuffers& buffers) {
  at_end_ = true;
  const std::optional<Damage>& damage = bytes_.damage();
  if (!damage) return;
  const size_t half = std::min(splitter_.last_start(), buffers.raw.size());
  buffers.tail = Rejection{0,
                           0,
                           damage->reason,
                           damage->message,
                           std::string(buffers.raw.view().substr(half, kExcerptBytes)),
                           bytes_.unread_behind(buffers.raw.size() - half)};
  buffers.raw.set_size(half);
}

/// Another shard delivers those records.
Status CsvStream::skip_to(uint64_t byte) {
  while (position_ < byte && !(at_end_ && rest_.empty()) && header_ != nullptr) {
    BatchBuffers skipped;
    NEARDUP_TRY(fill(std::min(byte, position_ + options_.batch_bytes), skipped));
    pending_ = std::move(skipped.tail);
  }
  pending_lines_ = 0;
  return {};
}

}  // namespace neardup::corpus

#include "neardup/engine/fingerprints/stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "neardup/base/disk/file.h"
#include "neardup/corpus/decompress.h"
#include "neardup/corpus/each_batch.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/fingerprint/text_line.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::engine {

namespace {

constexpr size_t kLinesAtOnce = 4096;
constexpr size_t kMaxLineBytes = size_t{8} << 20;  // most of it an id; what is read of it fits in any limit of memory

/// Lines on their way to a receiver.
class LineBatch {
 public:
  LineBatch(const std::string& path, const RecordReceiver& receiver) : path_(path), receiver_(receiver) {}

  Status add(std::string_view line, uint64_t number) {
    auto parsed = fingerprint::parse_tsv_line(line);
    if (!parsed) return at_line(path_, number, parsed.error());
    is_empty_ = false;
    if (!parsed->signature.empty()) return no_fingerprints(path_);
    if (parsed->recipe_id != recipe_id_) NEARDUP_TRY(join_recipe(parsed->recipe_id, number));
    lines_.push_back(std::move(*parsed));
    return lines_.size() < kLinesAtOnce ? Status{} : hand_on();
  }
  /// Errors: kCorruption where there was no line.
  Status end() { return is_empty_ ? Status(empty_fingerprints(path_)) : hand_on(); }
  Status hand_on() {
    std::vector<fingerprint::Record> records;
    for (const fingerprint::TextLine& line : lines_) records.push_back(line.record());
    if (!records.empty()) NEARDUP_TRY(receiver_.take(records));
    lines_.clear();
    return {};
  }

 private:
  Status join_recipe(const std::string& of_line, uint64_t number) {
    const bool first = recipe_id_.empty();
    if (const Status joined = join_recipe_of_line(path_, of_line, recipe_id_); !joined)
      return at_line(path_, number, joined.error());
    if (!first) return {};
    NEARDUP_TRY(hand_on());
    fingerprint::FileHeader header;
    header.recipe_id = recipe_id_;
    return receiver_.begin(header);
  }

  const std::string& path_;
  const RecordReceiver& receiver_;
  std::string recipe_id_;
  bool is_empty_ = true;
  std::vector<fingerprint::TextLine> lines_;
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Hands on all whole lines of each read, so that someone at the other end of a pipe is answered at once.
Status follow_stdin(const Context& context, const RecordReceiver& receiver) {
  const std::string name = "-";
  ReadFile file = ReadFile::from_descriptor(STDIN_FILENO, "standard input");
  LineBatch lines(name, receiver);
  std::string rest;
  std::vector<char> buffer(1 << 16);
  for (uint64_t number = 1;;) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const size_t got, file.read_next(buffer));
    rest.append(buffer.data(), got);
    if (got == 0 && !rest.empty()) rest += '\n';
    size_t begin = 0;
    for (size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1, ++number) {
      const auto line = std::string_view(rest).substr(begin, end - begin);
      if (!is_blank(line)) NEARDUP_TRY(lines.add(line, number));
    }
    rest.erase(0, begin);
    if (rest.size() > kMaxLineBytes) return at_line(name, number, {Code::kCorruption, "the line is too long"});
    NEARDUP_TRY(lines.hand_on());
    if (got == 0) return lines.end();
  }
}

}  // namespace

Status join_recipe_of_line(const std::string& path, const std::string& of_line, std::string& of_file) {
  if (of_file.empty()) of_file = of_line;
  if (of_line.empty() || of_line == of_file) return {};
  return recipe::recipes_differ({"this line", of_line}, {fmt::format("what stands before it in '{}'", path), of_file});
}

Result<std::string> binary_form_of(const std::string& path) {
  const std::string file_path = path == "-" ? "/dev/stdin" : path;
  NEARDUP_ASSIGN(const FileInfo info, file_info(file_path));
  if (!info.is_regular) return std::string();
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(file_path));
  std::array<char, 8> start{};
  NEARDUP_ASSIGN(const size_t size, file.read_at(0, start));
  return fingerprint::is_fingerprint_file({start.data(), size}) ? file_path : std::string();
}

Status read_binary_fingerprints(const std::string& path, const Context& context, const RecordReceiver& receiver) {
  NEARDUP_ASSIGN(auto reader, fingerprint::FileReader::open(path));
  NEARDUP_TRY(receiver.begin(reader.header()));
  while (true) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const std::span<const fingerprint::Record> records, reader.next());
    if (records.empty()) return {};
    NEARDUP_TRY(receiver.take(records));
  }
}

Status read_lines(const std::string& path, const Context& context,
                  const std::function<Status(std::string_view line, uint64_t number)>& take,
                  const std::function<Status()>& pause, uint64_t memory_bytes) {
  NEARDUP_ASSIGN(
      const corpus::InputSet set,
      corpus::InputSet::open({path}, {.format = corpus::Format::kLines, .include = {}, .exclude = {}}, context));
  if (set.inputs().size() != 1)
    return fail(Code::kInvalidArgument, fmt::format("{}: expected one file, not a folder", path));
  const auto take_batch = [&](const corpus::Batch& batch, uint64_t lines_before) -> Result<bool> {
    for (const corpus::Document& document : batch.documents)
      NEARDUP_TRY(take(document.text, lines_before + document.line + 1));
    NEARDUP_TRY(pause());
    for (const corpus::Rejection& bad : batch.rejections)
      return at_line(path, lines_before + bad.line + 1, {Code::kCorruption, bad.message});
    return true;
  };
  corpus::ReadOptions read;
  read.max_record_bytes = kMaxLineBytes;
  read.window_bytes = corpus::Decompressor::window_within(memory_bytes);
  return corpus::for_each_batch(set.inputs(), read, context, take_batch);
}

tl::unexpected<Error> no_fingerprints(const std::string& path) {
  return fail(Code::kUnsupported,
              fmt::format("{}: these are MinHash signatures, and this takes SimHash fingerprints; make them with "
                          "neardup fingerprint --family simhash",
                          path));
}

tl::unexpected<Error> empty_fingerprints(const std::string& path) {
  return fail(
      Code::kCorruption,
      fmt::format("{}: there are no fingerprints in it, not one line: did what made it fail? neardup fingerprint "
                  "INPUT > FILE makes such files",
                  path == "-" ? "standard input" : path));
}

tl::unexpected<Error> at_line(const std::string& path, uint64_t number, const Error& error) {
  return fail(error.code, fmt::format("{}:{}: {}", path, number, error.message));
}

Status read_fingerprints(const std::string& path, const Context& context, const RecordReceiver& receiver,
                         uint64_t memory_bytes) {
  NEARDUP_ASSIGN(const std::string binary, binary_form_of(path));
  if (!binary.empty()) {
    const auto begin = [&](const fingerprint::FileHeader& header) -> Status {
      return header.num_values > 0 ? no_fingerprints(path) : receiver.begin(header);
    };
    return read_binary_fingerprints(binary, context, {begin, receiver.take});
  }
  NEARDUP_TRY(receiver.begin({}));
  if (path == "-") return follow_stdin(context, receiver);
  LineBatch lines(path, receiver);
  NEARDUP_TRY(read_lines(
      path, context, [&](std::string_view line, uint64_t number) { return lines.add(line, number); },
      [&] { return lines.hand_on(); }, memory_bytes));
  return lines.end();
}

}  // namespace neardup::engine

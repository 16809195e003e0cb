#include "neardup/corpus/formats/parquet_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "neardup/corpus/parquet/find_module.h"
#include "neardup/corpus/text_path.h"

namespace neardup::corpus {
namespace {

using parquet::Fault;
using parquet::Problem;

std::string_view reason_of(Fault fault) {
  switch (fault) {
    case Fault::kTruncated:
      return "truncated";
    case Fault::kUnsupported:
      return "unsupported";
    case Fault::kTooLarge:
      return "too_long";
    case Fault::kNoColumn:
      return "missing_text";
    case Fault::kNotText:
      return "not_a_string";
    case Fault::kHost:
      return "unreadable";
    default:
      return "corrupt";
  }
}

}  // namespace

bool ParquetFile::read_at(uint64_t offset, char* out, size_t size, size_t& got) const {
  const int error = file_.read_at(offset, out, size, got);
  if (error != 0) error_ = error;
  return error == 0;
}

Result<std::shared_ptr<ParquetFile>> ParquetFile::open(const Input& input, const ReadOptions& options) {
  NEARDUP_ASSIGN(std::shared_ptr<ParquetFile> file, open_any(input, options));
  Problem problem;
  if (!file->refusal_ && !file->find_columns(options, problem)) NEARDUP_TRY(file->refuse(problem));
  return file;
}

bool ParquetFile::find_text(const ReadOptions& options, Problem& problem) {
  text_column_ = options.text_key;
  if (table_->find_text(text_column_, problem)) return true;
  const auto key = TextKey::parse(options.text_key);
  if (!key || key->is_one_field()) return false;
  const auto& steps = key->paths().front().steps;
  if (key->paths().size() == 1 && std::ranges::none_of(steps, &TextStep::each)) {  // in quotes
    text_column_ = key->paths().front().name;
    problem = {};
    return table_->find_text(text_column_, problem);
  }
  problem.message += "; of Parquet the text is one column, or a.b: put several, or those of a list, into one first";
  return false;
}

bool ParquetFile::find_columns(const ReadOptions& options, Problem& problem) {
  if (!find_text(options, problem)) return false;
  const std::array rules = {std::pair{&options.value_key, "--keep"}, std::pair{&options.group_key, "--group-key"},
                            std::pair{&options.within_key, "--within"}};
  for (const auto& [key, rule] : rules) {
    if (table_->is_readable(*key, problem)) continue;
    problem.message += std::string(" (") + rule + " takes columns of single values)";
    return false;
  }
  return true;
}

Result<std::shared_ptr<ParquetFile>> ParquetFile::open_any(const Input& input, const ReadOptions& options) {
  std::shared_ptr<ParquetFile> file(new ParquetFile(input));
  const std::string cure = input.pre.empty()
                               ? "it is compressed as a whole, which Parquet files are not; decompress it"
                               : "what a program (--pre) writes is not read as Parquet; let it write JSONL";
  if (!input.fault.empty()) {
    NEARDUP_TRY(file->refuse({Fault::kHost, input.fault}));
  } else if (input.is_packed()) {
    NEARDUP_TRY(file->refuse({Fault::kUnsupported, cure}));
  } else {
    NEARDUP_TRY(file->open_table(options));
  }
  return file;
}

Status ParquetFile::open_table(const ReadOptions& options) {
  error_ = file_.open(path_);
  if (error_ != 0) return refuse({Fault::kHost, {}});
  const auto module = parquet::find_module();
  if (!module) return refuse({Fault::kUnsupported, module.error().message});
  Problem problem;
  table_ = (*module)->open(*this, parquet::page_bytes_of(options.max_record_bytes), problem);
  return table_ == nullptr ? refuse(problem) : Status();
}

Status ParquetFile::refuse(const Problem& problem) {
  NEARDUP_ASSIGN(refusal_, reject(problem, Unread{.text_bytes = size_bytes_}));
  return {};
}

uint32_t ParquetFile::group_of(uint64_t row) const {
  uint32_t low = 0, high = table_->num_groups();
  while (low < high) {  // the first group that begins behind the row
    const uint32_t middle = low + (high - low) / 2;
    if (table_->group(middle).first_row > row) high = middle;
    if (table_->group(middle).first_row <= row) low = middle + 1;
  }
  return low - 1;
}

Result<Rejection> ParquetFile::reject(const Problem& problem, Unread unread) const {
  std::string message = problem.message;
  if (problem.fault == Fault::kHost && error_ != 0) {
    NEARDUP_TRY(check_failure(path_, error_));
    message = std::strerror(error_);
  }
  Rejection rejection;
  rejection.reason = reason_of(problem.fault);
  rejection.message = message;
  rejection.unread = unread;
  return rejection;
}

}  // namespace neardup::corpus

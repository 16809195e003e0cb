#include "neardup/corpus/formats/parquet_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "neardup/corpus/parquet/find_module.h"

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
  text_columns_ = {{options.text_key}};
  if (table_->find_text(options.text_key, problem)) return true;
  const auto key = TextKey::parse(options.text_key);
  if (!key || key->is_one_field()) return false;
  return find_texts(*key, problem);
}

/// Whether rows may have a text: what one lacks, a column or a string in it, another choice of the key may have.
bool ParquetFile::find_texts(const TextKey& key, Problem& problem) {
  text_columns_.clear();
  std::vector<PathText> found;
  for (const TextPath& path : key.paths()) {
    problem = {};
    const bool is_text = table_->find_text(path.name, problem);
    const bool is_missing = !is_text && problem.fault == Fault::kNoColumn;
    text_columns_.push_back({path.name, is_text      ? PathText::Found::kText
                                        : is_missing ? PathText::Found::kMissing
                                                     : PathText::Found::kOther});
    found.push_back({text_columns_.back().found, is_text ? path.name : ""});
  }
  const TextKey::Choice choice = key.choose(found);
  if (choice.found == PathText::Found::kText) return true;
  const bool is_one = found.size() == 1;
  if (!is_one) problem.message = text_problem(key, choice, "column") + "; found " + table_->column_names();
  problem.fault = choice.found == PathText::Found::kMissing ? Fault::kNoColumn : Fault::kNotText;
  return false;
}

bool ParquetFile::cut(uint32_t group, uint64_t most_bytes, uint64_t most_rows, std::vector<uint64_t>& rows,
                      Problem& problem) const {
  for (const TextColumn& column : text_columns_)
    if (column.found == PathText::Found::kText &&
        !table_->cut(group, column.name, most_bytes, most_rows, rows, problem))
      return false;
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return true;
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

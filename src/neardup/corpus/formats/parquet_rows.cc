#include "neardup/corpus/formats/parquet_rows.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "neardup/base/json.h"
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/formats/lines.h"
#include "neardup/corpus/formats/utf8_repair.h"

namespace neardup::corpus {
namespace {

using parquet::Fault;
using parquet::Group;
using parquet::Kind;
using parquet::Problem;

constexpr size_t kNumKeys = kWithinField + 1;
constexpr size_t kShortBytes = 64;

struct Cell {
  Kind kind = Kind::kNull;
  bool is_there = false;  // the file has such a column
  std::string_view bytes = {};
};
using Row = std::array<Cell, kNumKeys>;

/// Keeps the values of a slice in the batch's arena. A long value that comes again from the same place, as those of a
/// dictionary do, is held once: a small file can say a long text a million times.
class SliceRows : public parquet::HostRows {
 public:
  /// `num_texts`: columns that the text is made of; the keys of all but the first one stand behind the others.
  SliceRows(uint64_t num_rows, size_t num_texts, const ReadOptions& options, BatchBuffers& buffers)
      : rows_(static_cast<size_t>(num_rows)),
        more_texts_((num_texts - 1) * static_cast<size_t>(num_rows)),
        options_(options),
        buffers_(buffers) {}

  bool take(size_t key, uint64_t row, Kind kind, std::string_view bytes) override {
    const bool is_text = key == kTextField || key >= kNumKeys;
    if (is_text && (text_bytes_ += bytes.size()) > most_bytes()) return false;
    if (bytes.size() > options_.max_record_bytes && !is_text) return take(key, row, Kind::kNull, {});
    Cell& cell = cell_of(key, static_cast<size_t>(row));
    cell.kind = kind;
    cell.is_there = true;
    return bytes.size() > kShortBytes ? hold_long(bytes, cell.bytes) : hold(bytes, cell.bytes);
  }

  [[nodiscard]] std::span<const Row> rows() const { return rows_; }
  /// Part `part` of the text of row `row`.
  [[nodiscard]] const Cell& text(size_t part, size_t row) const {
    return part == 0 ? rows_[row][kTextField] : more_texts_[(part - 1) * rows_.size() + row];
  }

 private:
  [[nodiscard]] Cell& cell_of(size_t key, size_t row) {
    return key < kNumKeys ? rows_[row][key] : more_texts_[(key - kNumKeys) * rows_.size() + row];
  }

  /// Of values that share beginnings a page can hold far more than its bytes.
  [[nodiscard]] uint64_t most_bytes() const {
    return 2 * options_.batch_bytes + 4 * options_.max_record_bytes + (uint64_t{64} << 20);
  }

  bool hold_long(std::string_view bytes, std::string_view& out) {
    std::string_view& held = held_[bytes.data()];
    if (held != bytes && !hold(bytes, held)) return false;
    out = held;
    return true;
  }

  bool hold(std::string_view bytes, std::string_view& out) {
    num_bytes_ += bytes.size();
    if (num_bytes_ > most_bytes()) return false;
    ask_for_memory(options_, num_bytes_, buffers_);
    char* const piece = buffers_.arena.reserve(bytes.size());
    bytes.copy(piece, bytes.size());
    buffers_.arena.use(bytes.size());
    out = {piece, bytes.size()};
    return true;
  }

  std::vector<Row> rows_;
  std::vector<Cell> more_texts_;  // column after column
  const ReadOptions& options_;
  BatchBuffers& buffers_;
  uint64_t num_bytes_ = 0;   // held
  uint64_t text_bytes_ = 0;  // of all texts, each time that they come
  std::unordered_map<const char*, std::string_view> held_;
};

class SliceLoad {
 public:
  SliceLoad(const ReadPlan& plan, const ParquetFile& file, Batch& batch)
      : options_(plan.options),
        text_key_(plan.text_key),
        file_(file),
        batch_(batch),
        buffers_(*batch.buffers),
        index_(file.group_of(batch.buffers->unit.first_row)),
        group_(file.table().group(index_)),
        first_row_(batch.buffers->unit.first_row - group_.first_row),
        num_rows_(batch.buffers->unit.num_rows) {}

  Status run(Load what) {
    if (is_damaged()) return load_damaged();
    batch_.num_lines = num_rows_;
    if (what == Load::kRecords) {
      for (uint64_t row = 0; row < num_rows_; ++row) batch_.documents.push_back(document_at(row));
      return {};
    }
    Problem problem;
    SliceRows rows(num_rows_, num_texts(), options_, buffers_);
    const std::vector<parquet::ColumnKey> keys = wanted_columns();
    if (!file_.table().check(index_, keys, problem))
      return first_row_ == 0 ? reject_all(problem, group_.num_rows) : Status();
    if (!file_.table().read(index_, first_row_, num_rows_, keys, rows, problem)) return reject_all(problem, num_rows_);
    if (is_bomb(rows))
      return reject_all({Fault::kNotText, "column '" + options_.text_key + "' is null in row after row"}, num_rows_);
    for (uint64_t row = 0; row < num_rows_; ++row) add(row, rows);
    return {};
  }

 private:
  /// A few bytes can claim millions of nulls, and each would be a line of what is rejected.
  [[nodiscard]] bool is_bomb(const SliceRows& rows) const {
    if (num_rows_ < kMostParquetRows) return false;
    for (size_t part = 0; part < num_texts(); ++part)
      for (size_t row = 0; row < num_rows_; ++row)
        if (rows.text(part, row).kind != Kind::kNull) return false;
    return true;
  }

  [[nodiscard]] size_t num_texts() const { return file_.text_columns().size(); }

  /// In the order of WantedField, and behind them what else the text is made of.
  [[nodiscard]] std::vector<parquet::ColumnKey> wanted_columns() const {
    std::vector<parquet::ColumnKey> keys{
        {}, {options_.id_key}, {options_.value_key}, {options_.group_key}, {options_.within_key}};
    for (const ParquetFile::TextColumn& column : file_.text_columns())
      keys.push_back({column.found == PathText::Found::kText ? column.name : "", true});
    keys[kTextField] = keys[kNumKeys];
    keys.erase(keys.begin() + kNumKeys);
    return keys;
  }

  /// Its pages could not be cut: the unit stands for the group and has no rows of its own.
  [[nodiscard]] bool is_damaged() const { return num_rows_ == 0; }

  Status load_damaged() {
    batch_.num_lines = group_.num_rows;
    std::vector<uint64_t> rows;
    Problem problem{Fault::kCorrupt, "row group " + std::to_string(index_ + 1) + " is damaged"};
    static_cast<void>(file_.cut(index_, options_.batch_bytes, 1, rows, problem));
    return reject_all(problem, group_.num_rows);
  }

  Status reject_all(const Problem& problem, uint64_t num_rows) {
    const Unread unread{.text_bytes = buffers_.unit.end - buffers_.unit.begin, .num_lines = num_rows};
    NEARDUP_ASSIGN(Rejection rejection, file_.reject(problem, unread));
    rejection.input = batch_.first_input;
    batch_.rejections.push_back(std::move(rejection));
    return {};
  }

  [[nodiscard]] Document document_at(uint64_t row) const {
    Document document;
    document.input = batch_.first_input;
    document.line = row;
    return document;
  }

  /// Returns the text of a row; nothing where it was rejected.
  std::optional<std::string_view> text_at(uint64_t row, const SliceRows& rows) {
    const Cell& only = rows.text(0, static_cast<size_t>(row));
    if (num_texts() == 1 && only.kind != Kind::kNull) return only.bytes;
    std::vector<PathText> found;
    for (size_t part = 0; part < num_texts(); ++part) {
      const Cell& cell = rows.text(part, static_cast<size_t>(row));
      const auto what = file_.text_columns()[part].found;
      const bool is_null = what == PathText::Found::kText && cell.kind == Kind::kNull;
      found.push_back({is_null ? PathText::Found::kNull : what, cell.bytes});
    }
    const TextKey::Choice choice = text_key_.choose(found);
    if (num_texts() > 1 && choice.found == PathText::Found::kText)
      return join_texts(choice.parts, found, buffers_.arena);
    reject(row, choice.found == PathText::Found::kMissing ? "missing_text" : "not_a_string",
           num_texts() == 1 ? "column '" + options_.text_key + "' is null" : text_problem(text_key_, choice, "column"),
           {});
    return std::nullopt;
  }

  void add(uint64_t row, const SliceRows& rows) {
    const Row& cells = rows.rows()[static_cast<size_t>(row)];
    const std::optional<std::string_view> text = text_at(row, rows);
    if (!text) return;
    if (text->size() > options_.max_record_bytes)
      return reject(row, "too_long", too_long_message(options_), text->substr(0, kExcerptBytes));
    Document document = document_at(row);
    set_text(*text, document);
    const Cell& id = cells[kIdField];
    if (id.kind == Kind::kText || id.kind == Kind::kInteger) document.id = id_of(id.bytes);
    document.has_id = !document.id.empty();
    document.value = json_of(cells[kValueField]);
    document.group = text_of(cells[kGroupField]);
    document.within = text_of(cells[kWithinField]);
    batch_.documents.push_back(document);
  }

  void reject(uint64_t row, const char* reason, std::string message, std::string_view excerpt) {
    batch_.rejections.push_back({batch_.first_input, row, reason, std::move(message), std::string(excerpt)});
  }

  void set_text(std::string_view text, Document& document) {
    document.text = document.record = repaired(text);
    document.not_utf8 = document.text.data() != text.data() && is_hardly_utf8(text);
  }

  /// Bytes that are no text stay apart from one another as their digits.
  std::string_view id_of(std::string_view bytes) {
    if (simdjson::validate_utf8(bytes.data(), bytes.size())) return bytes;
    constexpr std::string_view kDigits = "0123456789abcdef";
    char* const out = buffers_.arena.reserve(2 * bytes.size());
    for (size_t i = 0; i < bytes.size(); ++i) {
      out[2 * i] = kDigits[static_cast<uint8_t>(bytes[i]) >> 4];
      out[2 * i + 1] = kDigits[static_cast<uint8_t>(bytes[i]) & 15];
    }
    buffers_.arena.use(2 * bytes.size());
    return {out, 2 * bytes.size()};
  }

  /// A null is that of JSON, as it is where the rows stand in lines.
  std::string_view text_of(const Cell& cell) {
    if (!cell.is_there) return {};
    return cell.kind == Kind::kNull ? "null" : repaired(cell.bytes);
  }

  std::string_view json_of(const Cell& cell) {
    if (cell.kind != Kind::kText) return text_of(cell);
    std::string json;
    append_json_string(json, repaired(cell.bytes));
    char* const out = buffers_.arena.reserve(json.size());
    json.copy(out, json.size());
    buffers_.arena.use(json.size());
    return {out, json.size()};
  }

  std::string_view repaired(std::string_view text) {
    if (simdjson::validate_utf8(text.data(), text.size())) return text;
    char* const out = buffers_.arena.reserve(repaired_utf8_bound(text.size()));
    const auto size = static_cast<size_t>(repair_utf8(text, out) - out);
    buffers_.arena.use(size);
    return {out, size};
  }

  const ReadOptions& options_;
  const TextKey& text_key_;
  const ParquetFile& file_;
  Batch& batch_;
  BatchBuffers& buffers_;
  const uint32_t index_;
  const Group group_;
  const uint64_t first_row_;  // in the group
  const uint64_t num_rows_;
};

}  // namespace

Status load_parquet_rows(const ReadPlan& plan, const ParquetFile& file, Load what, Batch& batch) {
  return SliceLoad(plan, file, batch).run(what);
}

}  // namespace neardup::corpus

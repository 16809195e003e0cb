// CSV and TSV as RFC 4180 has them: a header row with the names of the columns, then a record a row; fields may be
// quoted, and then hold separators, line ends and doubled quotes.
#include <algorithm>
#include <array>

#include "neardup/base/json.h"
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/formats/csv_cause.h"
#include "neardup/corpus/formats/csv_header.h"
#include "neardup/corpus/formats/csv_row.h"
#include "neardup/corpus/formats/csv_stream.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

constexpr size_t kNoEnd = std::string_view::npos;

/// Makes the rows of a batch that a CsvStream has filled into documents.
class RowConsumer {
 public:
  RowConsumer(const ReadPlan& plan, Load what, const CsvDialect& dialect, Batch& batch)
      : options_(plan.options),
        text_key_(plan.text_key),
        what_(what),
        dialect_(dialect),
        batch_(batch),
        buffers_(*batch.buffers),
        header_(buffers_.csv_header.get()) {}

  void run() {
    const std::string_view raw = buffers_.raw.view();
    uint64_t line = buffers_.first_line;
    auto cut = buffers_.csv_cuts.begin();
    CsvSplitter splitter(dialect_, options_.max_record_bytes);
    splitter.restart(buffers_.begin);
    if (header_ != nullptr) splitter.set_columns(header_->num_columns);
    for (size_t begin = buffers_.begin; begin < buffers_.end;) {
      const bool is_cut = cut != buffers_.csv_cuts.end() && cut->begin == begin;
      const size_t found = is_cut ? kNoEnd : splitter.find_end(raw, begin + 1, true);
      const size_t end = is_cut ? cut->end : std::min(found, raw.size());
      const std::string_view bytes = raw.substr(begin, end - begin);
      has_open_end_ = is_cut && cut->has_open_quote;
      missing_bytes_ = is_cut ? cut->missing_bytes : 0;
      consume(found == kNoEnd ? bytes : bytes.substr(0, bytes.size() - 1), line);
      line += static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n')) + (is_cut ? cut->missing_lines : 0);
      if (!is_cut && !bytes.ends_with('\n')) ++line;
      if (is_cut) splitter.restart(end);
      if (is_cut) ++cut;
      begin = end;
    }
    batch_.num_lines = line;
    if (!buffers_.tail) return;
    batch_.rejections.push_back(*buffers_.tail);
    batch_.rejections.back().input = batch_.first_input;
    batch_.rejections.back().line = line;
  }

 private:
  void consume(std::string_view record, uint64_t line) {
    if (record.size() > options_.max_record_bytes) return reject_long(record, line);
    const std::string_view row = without_return(record);
    if (row.empty()) return;
    Document document;
    document.input = batch_.first_input;
    document.line = line;
    document.record = record;
    if (what_ == Load::kDocuments && !parse(row, document)) return;
    batch_.documents.push_back(document);
  }

  void reject_long(std::string_view record, uint64_t line) {
    reject(record, line, "too_long", too_long());
    if (has_open_end_ || fault_of(record) == CsvFault::kOpenQuote)
      batch_.rejections.back().unread = Unread{.text_bytes = record.size() + missing_bytes_};
  }

  [[nodiscard]] CsvFault fault_of(std::string_view record) const {
    CsvFields fields(record, dialect_, header_->num_columns);
    for (CsvField field; fields.next(field);) {
    }
    return missing_bytes_ == 0 ? fields.fault() : CsvFault::kNone;  // of a cut one only its begin is there
  }

  [[nodiscard]] std::string too_long() const {
    return too_long_message(options_) + "; it may be that a quote which opens in it does not end";
  }

  bool parse(std::string_view row, Document& document) {
    std::array<CsvField, kWithinField + 1> wanted;
    std::vector<CsvField> texts(header_->text_columns.size());
    size_t num_fields = 0;
    CsvFields fields(row, dialect_, header_->num_columns);
    for (CsvField field; fields.next(field); ++num_fields) {
      for (size_t key = 0; key < wanted.size(); ++key)
        if (header_->columns[key] == num_fields) wanted[key] = field;
      for (size_t part = 0; part < texts.size(); ++part)
        if (header_->text_columns[part] == num_fields) texts[part] = field;
    }
    const auto cause = [&] { return csv_cause(row, dialect_, fields.fault(), fields.at()); };
    if (fields.fault() != CsvFault::kNone) return refuse_fault(document, fields.fault(), num_fields, cause());
    if (num_fields != header_->num_columns) {
      refuse(document, "wrong_columns", wrong_columns_message(*header_, num_fields) + cause());
      return tell_lines(document);
    }
    if (!texts.empty() && !set_texts(texts, document)) return false;
    if (texts.empty() && header_->columns[kTextField] == kNoColumn)
      return refuse(document, "missing_text",
                    missing_column_message(*header_, "no column '" + options_.text_key + "'"));
    if (texts.empty() && wanted[kTextField].is_null())
      return refuse(document, "not_a_string", "column '" + options_.text_key + "' is null (\\N)");
    if (texts.empty()) document.text = csv_text(wanted[kTextField], buffers_.arena);
    set_fields(wanted, document);
    return true;
  }

  bool set_texts(const std::vector<CsvField>& fields, Document& document) {
    std::vector<PathText> found;
    for (size_t part = 0; part < fields.size(); ++part) {
      const bool is_there = header_->text_columns[part] != kNoColumn;
      const auto what = !is_there                ? PathText::Found::kMissing
                        : fields[part].is_null() ? PathText::Found::kNull
                                                 : PathText::Found::kText;
      found.push_back({what, csv_text(fields[part], buffers_.arena)});
    }
    const TextKey::Choice choice = text_key_.choose(found);
    const std::string problem = choice.found == PathText::Found::kText ? "" : text_problem(text_key_, choice, "column");
    if (choice.found == PathText::Found::kNull) return refuse(document, "not_a_string", problem);
    if (!problem.empty()) return refuse(document, "missing_text", missing_column_message(*header_, problem));
    document.text = join_texts(choice.parts, found, buffers_.arena);
    return true;
  }

  /// A quote that does not end takes all behind it; one that ends late, some lines.
  bool refuse_fault(const Document& document, CsvFault fault, size_t num_fields, const std::string& cause) {
    refuse(document, "invalid_csv", describe(fault, num_fields) + cause);
    if (fault != CsvFault::kOpenQuote) return tell_lines(document);
    batch_.rejections.back().unread = Unread{.text_bytes = document.record.size()};
    return false;
  }

  /// A row of several lines may be many, by a quote that was never meant to open.
  bool tell_lines(const Document& document) {
    const auto num_ends = static_cast<uint64_t>(std::ranges::count(document.record, '\n'));
    if (num_ends > 0)
      batch_.rejections.back().unread = Unread{.text_bytes = document.record.size(), .num_lines = num_ends + 1};
    return false;
  }

  static std::string describe(CsvFault fault, size_t num_fields) {
    const std::string column = std::to_string(num_fields + 1);
    if (fault == CsvFault::kOpenQuote)
      return "the quote that opens column " + column + " does not end: all from this line on is one field";
    return "column " + column + " has something between its closing quote and the next separator";
  }

  void set_fields(const std::array<CsvField, kWithinField + 1>& wanted, Document& document) {
    Arena& arena = buffers_.arena;
    document.not_utf8 = is_hardly_utf8(document.text);
    document.id = csv_text(wanted[kIdField], arena);
    document.has_id = !document.id.empty();
    document.group = text_of(wanted[kGroupField]);
    document.within = text_of(wanted[kWithinField]);
    if (header_->columns[kValueField] != kNoColumn) document.value = json_of(wanted[kValueField]);
  }

  /// A null is that of JSON, as it is where the rows stand in lines.
  std::string_view text_of(const CsvField& field) { return field.is_null() ? "null" : csv_text(field, buffers_.arena); }

  /// Rules for values read JSON.
  std::string_view json_of(const CsvField& field) {
    if (field.is_null()) return "null";
    const std::string_view text = csv_text(field, buffers_.arena);
    std::string json;
    append_json_string(json, text);
    char* const out = buffers_.arena.reserve(json.size());
    json.copy(out, json.size());
    buffers_.arena.use(json.size());
    return {out, json.size()};
  }

  bool refuse(const Document& document, const char* reason, std::string message) {
    reject(document.record, document.line, reason, std::move(message));
    return false;
  }

  void reject(std::string_view record, uint64_t line, const char* reason, std::string message) {
    batch_.rejections.push_back(
        {batch_.first_input, line, reason, std::move(message), std::string(record.substr(0, kExcerptBytes))});
  }

  const ReadOptions& options_;
  const TextKey& text_key_;
  const Load what_;
  const CsvDialect dialect_;
  Batch& batch_;
  BatchBuffers& buffers_;
  const CsvHeader* const header_;  // null where no record follows
  bool has_open_end_ = false;      // of the record that is looked at
  uint64_t missing_bytes_ = 0;     // likewise
};

class CsvSource : public Source {
 public:
  explicit CsvSource(char separator) : separator_(separator) {}

  bool is_stream(const Input&) const override { return true; }
  Result<std::unique_ptr<BatchStream>> open_stream(const Input& input, const ReadOptions& options) const override {
    return CsvStream::open(input, options, dialect_of(separator_, options.table));
  }
  Status load(const ReadPlan& plan, Load what, Batch& batch) const override {
    RowConsumer(plan, what, dialect_of(separator_, plan.options.table), batch).run();
    return {};
  }

 private:
  const char separator_;
};

/// Rows as they came; notes are two more columns.
class CsvSink : public Sink {
 public:
  void append(const Batch& batch, std::span<const Chosen> records, bool annotates, std::string& out) const override {
    const CsvHeader* header = batch.buffers->csv_header.get();
    if (batch.begins_input && header != nullptr) {
      const Note names{.duplicate_of = std::string(kDuplicateOfColumn), .cluster = {}};
      const std::string_view bytes = header->bytes;
      out += bytes.substr(0, header->row_begin);
      append_row(bytes.substr(header->row_begin), *header, annotates ? &names : nullptr, std::string(kClusterColumn),
                 out);
    }
    for (const Chosen& chosen : records) {
      const Note* note = chosen.note ? &*chosen.note : nullptr;
      append_row(chosen.record->record, *header, note, note && note->cluster ? std::to_string(*note->cluster) : "",
                 out);
    }
  }
  bool takes_notes() const override { return true; }

 private:
  static void append_row(std::string_view record, const CsvHeader& header, const Note* note, const std::string& cluster,
                         std::string& out) {
    const std::string_view row = note == nullptr ? record : without_return(record);
    out += note != nullptr && header.has_notes ? without_notes(row, header) : row;
    if (note != nullptr) {
      out += header.dialect.separator;
      append_csv_field(out, note->duplicate_of.value_or(""), header.dialect);
      out += header.dialect.separator;
      out += cluster;
    }
    out.append(record.substr(row.size())) += '\n';
  }
};

}  // namespace

const Source& csv_source() {
  static const CsvSource source(',');
  return source;
}

const Source& tsv_source() {
  static const CsvSource source('\t');
  return source;
}

const Sink& csv_sink() {
  static const CsvSink sink;
  return sink;
}

const Sink& tsv_sink() { return csv_sink(); }

}  // namespace neardup::corpus

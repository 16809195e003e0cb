// WARC 1.0 and 1.1 (ISO 28500), ARC, which came before it, and WET, which is WARC with the texts of pages: a document a
// response, resource or conversion whose type is one of text.
#include <algorithm>
#include <new>

#include "neardup/base/json.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/formats/utf8_repair.h"
#include "neardup/corpus/formats/warc_stream.h"
#include "neardup/corpus/formats/warc_text.h"
#include "neardup/corpus/output.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/sink.h"

namespace neardup::corpus {
namespace {

constexpr std::string_view kRecordEnd = "\r\n\r\n";
constexpr std::string_view kArcRecordEnd = "\n";
constexpr std::string_view kDateField = "WARC-Date";
constexpr std::string_view kDefaultIdKey = "id";  // of ReadOptions: nothing else was asked for

/// Makes documents of the records that a WarcStream has put in a batch.
class RecordConsumer {
 public:
  RecordConsumer(const ReadPlan& plan, Load what, Batch& batch)
      : options_(plan.options), what_(what), batch_(batch), buffers_(*batch.buffers), warc_(*buffers_.warc) {}

  void run() {
    buffers_.unpacked.clear(static_cast<size_t>(4 * options_.batch_bytes));
    for (const WarcRecord& record : warc_.records)
      if (!record.is_info) consume(record);
    batch_.num_lines = warc_.num_records;
    batch_.notes = warc_.notes;
    for (Rejection& note : batch_.notes) note.input = batch_.first_input;
    add_faults();
  }

 private:
  void add_faults() {
    const auto middle = static_cast<std::ptrdiff_t>(batch_.rejections.size());
    batch_.rejections.insert(batch_.rejections.end(), warc_.faults.begin(), warc_.faults.end());
    std::inplace_merge(batch_.rejections.begin(), batch_.rejections.begin() + middle, batch_.rejections.end(),
                       [](const Rejection& a, const Rejection& b) { return a.line < b.line; });
    for (Rejection& rejection : batch_.rejections) rejection.input = batch_.first_input;
  }

  void consume(const WarcRecord& record) {
    Document document;
    document.input = batch_.first_input;
    document.line = record.number;
    document.record = buffers_.raw.view().substr(record.begin, record.size);
    if (what_ == Load::kDocuments && !parse(record, document)) return;
    batch_.documents.push_back(document);
  }

  bool parse(const WarcRecord& record, Document& document) {
    std::string_view problem;
    const auto header = read_warc_header(document.record, problem);  // as the stream has read it
    const WarcContent content = warc_content(*header, document.record.substr(header->size));
    WarcPayload text = read_warc_text(content, options_, buffers_);
    if (!text.reason.empty()) return refuse(record, std::move(text.reason), text.message);
    document.text = text.bytes;
    document.not_utf8 = !options_.any_encoding && is_hardly_utf8(document.text);
    set_fields(*header, content, document);
    return true;
  }

  void set_fields(const WarcHeader& header, const WarcContent& content, Document& document) {
    const bool is_default = options_.id_key == kDefaultIdKey;
    document.id = field(header, content, is_default ? "WARC-Target-URI" : options_.id_key);
    document.has_id = !document.id.empty();
    document.group = field(header, content, options_.group_key);
    document.within = field(header, content, options_.within_key);
    if (const std::string_view value = field(header, content, options_.value_key); !value.empty()) {
      std::string json;  // rules for values read JSON
      append_json_string(json, value);
      document.value = to_arena(json);
    }
  }

  /// Of the record's header, else of the server's. Bytes that are no UTF-8 become U+FFFD, as results are JSON.
  std::string_view field(const WarcHeader& header, const WarcContent& content, std::string_view name) {
    if (name.empty()) return {};
    std::string_view value = header.fields.find(name);
    if (header.is_arc && same_name(name, kDateField)) return to_arena(warc_date_of(value));
    if (value.empty()) value = content.http.find(name);
    return repaired(without_brackets(value));
  }

  std::string_view repaired(std::string_view text) {
    if (count_bad_utf8(text) == 0) return text;
    char* const out = buffers_.arena.reserve(repaired_utf8_bound(text.size()));
    const auto size = static_cast<size_t>(repair_utf8(text, out) - out);
    buffers_.arena.use(size);
    return {out, size};
  }

  std::string_view to_arena(std::string_view text) {
    char* const out = buffers_.arena.reserve(text.size());
    text.copy(out, text.size());
    buffers_.arena.use(text.size());
    return {out, text.size()};
  }

  bool refuse(const WarcRecord& record, std::string reason, const std::string& message) {
    const std::string_view bytes = buffers_.raw.view().substr(record.begin, record.size);
    batch_.rejections.push_back({batch_.first_input, record.number, std::move(reason),
                                 name_warc_place(record.place) + message, std::string(bytes.substr(0, kExcerptBytes))});
    return false;
  }

  const ReadOptions& options_;
  const Load what_;
  Batch& batch_;
  BatchBuffers& buffers_;
  const WarcBatch& warc_;
};

class WarcSource : public Source {
 public:
  bool is_stream(const Input&) const override { return true; }
  Result<std::unique_ptr<BatchStream>> open_stream(const Input& input, const ReadOptions& options) const override {
    return WarcStream::open(input, options);
  }
  Status load(const ReadPlan& plan, Load what, Batch& batch) const override {
    RecordConsumer(plan, what, batch).run();
    return {};
  }
};

/// Records as they came, each compressed by itself, and every warcinfo, to which they refer.
class WarcSink : public Sink {
 public:
  void append(const Batch& batch, std::span<const Chosen> records, bool, std::string& out) const override {
    const WarcBatch& warc = *batch.buffers->warc;
    auto chosen = records.begin();
    for (const WarcRecord& record : warc.records) {
      const bool is_chosen = chosen != records.end() && chosen->record->line == record.number;
      if (!is_chosen && !record.is_info) continue;
      if (is_chosen) ++chosen;
      write(batch.buffers->raw.view().substr(record.begin, record.size), warc, out);
    }
  }
  bool compresses() const override { return true; }

 private:
  static void write(std::string_view record, const WarcBatch& warc, std::string& out) {
    const auto bytes =
        compress(warc.compression, std::string(record) + std::string(warc.is_arc ? kArcRecordEnd : kRecordEnd));
    if (!bytes) throw std::bad_alloc();  // nothing else can fail
    out += *bytes;
  }
};

}  // namespace

const Source& warc_source() {
  static const WarcSource source;
  return source;
}

const Sink& warc_sink() {
  static const WarcSink sink;
  return sink;
}

}  // namespace neardup::corpus

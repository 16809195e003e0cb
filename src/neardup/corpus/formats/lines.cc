#include "neardup/corpus/formats/lines.h"

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/field_names.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/formats/json_problem.h"
#include "neardup/corpus/formats/json_text.h"
#include "neardup/corpus/formats/unescape.h"
#include "neardup/corpus/formats/utf8_repair.h"

namespace neardup::corpus {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

/// A list is the other usual form of many objects.
std::string not_an_object_message(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  const bool is_list = first != std::string_view::npos && line[first] == '[';
  return is_list ? "expected an object, found a list; make lines of its items: jq -c '.[]' FILE > FILE.jsonl"
                 : "expected an object";
}

class LineConsumer {
 public:
  LineConsumer(Batch& batch, LineUse use, const ReadPlan& plan)
      : batch_(batch), buffers_(*batch.buffers), use_(use), options_(plan.options), text_key_(plan.text_key) {
    if (use != LineUse::kParseJson) return;
    // A batch may have been used by another reader before.
    if (buffers_.json == nullptr || buffers_.json->keys() != plan.keys)
      buffers_.json = std::make_unique<JsonLine>(plan.keys);
    if (!text_key_.is_one_field()) pieces_.emplace(text_key_);
  }

  void run() {
    const std::string_view raw = buffers_.raw.view();
    uint64_t number = 0;
    for (size_t begin = buffers_.begin; begin < buffers_.end; ++number) {
      const size_t line_end = std::min(find_line_end(raw, begin), raw.size());
      std::string_view record = raw.substr(begin, line_end - begin);
      if (number == 0 && batch_.begins_input) record = without_byte_order_mark(record);
      consume(record, number);
      begin = line_end + 1;
    }
    batch_.num_lines = number;
    if (!buffers_.tail) return;
    batch_.rejections.push_back(*buffers_.tail);
    batch_.rejections.back().input = batch_.first_input;
    batch_.rejections.back().line = number;
  }

 private:
  void consume(std::string_view record, uint64_t number) {
    if (record.size() > options_.max_record_bytes) {
      const bool is_tellable = use_ == LineUse::kParseJson && has_lone_returns(record);
      const std::string cure = is_tellable ? "; " + std::string(kLoneReturnsCure) : "";
      reject(record, number, "too_long", too_long_message(options_) + cure);
      return;
    }
    if (is_blank(record)) return;
    Document document;
    document.input = batch_.first_input;
    document.line = number;
    document.record = record;
    if (use_ == LineUse::kParseJson && !parse(record, document)) return;
    if (use_ == LineUse::kWholeLine) {
      document.text = record.ends_with('\r') ? record.substr(0, record.size() - 1) : record;
      document.not_utf8 = is_hardly_utf8(document.text);
    }
    batch_.documents.push_back(document);
  }

  bool parse(std::string_view record, Document& document) {
    JsonLine& json = *buffers_.json;
    std::string_view line = without_byte_order_mark(record);  // files put together have marks inside
    JsonVerdict verdict = json.parse(line, buffers_.arena);
    if (verdict == JsonVerdict::kInvalidUtf8) {
      document.not_utf8 = is_hardly_utf8(line);
      line = repair(line);
      verdict = json.parse(line, buffers_.arena);
    }
    if (verdict == JsonVerdict::kNotAnObject) return refuse(document, "not_an_object", not_an_object_message(line));
    if (verdict != JsonVerdict::kObject) return refuse(document, "invalid_json", json.problem());
    if (!set_text(json.field(kTextField), line, document)) return false;
    set_id(json.field(kIdField), document);
    document.value = json.field(kValueField).raw;
    const JsonField& group = json.field(kGroupField);
    document.group = group.kind == JsonField::Kind::kString ? group.text : group.raw;
    const JsonField& within = json.field(kWithinField);
    document.within = within.kind == JsonField::Kind::kString ? within.text : within.raw;
    return true;
  }

  bool set_text(const JsonField& field, std::string_view line, Document& document) {
    if (field.kind == JsonField::Kind::kMissing && pieces_) return set_pieces(line, document);
    if (field.kind == JsonField::Kind::kMissing)
      return refuse_missing(line, "no field '" + options_.text_key + "'", document);
    if (field.kind != JsonField::Kind::kString) {
      const std::string what = "field '" + options_.text_key + "' is not a string";
      return refuse(document, "not_a_string", what + (field.raw.starts_with('[') ? list_cure(options_.text_key) : ""));
    }
    document.text = field.text;
    return true;
  }

  bool set_pieces(std::string_view line, Document& document) {
    const TextKey::Choice choice = pieces_->find(line, buffers_.arena);
    document.text = pieces_->text();
    if (choice.found == PathText::Found::kText) return true;
    const bool is_missing = choice.found == PathText::Found::kMissing;
    const std::string why = text_problem(text_key_, choice, "field");
    if (is_missing) return refuse_missing(line, why, document);
    const TextPath& at_fault = text_key_.paths()[choice.at_fault];
    return refuse(document, "not_a_string", why + leaf_hint(at_fault, line, buffers_.arena));
  }

  bool refuse_missing(std::string_view line, const std::string& why, Document& document) {
    return refuse(document, "missing_text",
                  why + list_hint(text_key_, line, buffers_.arena) + "; found " + list_field_names(line));
  }

  void set_id(const JsonField& field, Document& document) {
    if (field.kind == JsonField::Kind::kString) document.id = field.text;
    if (field.kind == JsonField::Kind::kInteger) document.id = field.raw;
    document.has_id = !document.id.empty();
  }

  std::string_view repair(std::string_view record) {
    char* out = buffers_.arena.reserve(repaired_utf8_bound(record.size()) + kUnescapePadding);
    const size_t size = static_cast<size_t>(repair_utf8(record, out) - out);
    buffers_.arena.use(size);
    return {out, size};
  }

  bool refuse(const Document& document, const char* reason, std::string message) {
    reject(document.record, document.line, reason, std::move(message));
    return false;
  }

  void reject(std::string_view record, uint64_t number, const char* reason, std::string message) {
    batch_.rejections.push_back(
        {batch_.first_input, number, reason, std::move(message), std::string(record.substr(0, kExcerptBytes))});
  }

  Batch& batch_;
  BatchBuffers& buffers_;
  const LineUse use_;
  const ReadOptions& options_;
  const TextKey& text_key_;
  std::optional<JsonText> pieces_;  // where the text may be more than one field
};

}  // namespace

JsonLine::Keys want_keys(const ReadOptions& options) {
  std::vector<WantedKey> keys;
  for (const std::string* key :
       {&options.text_key, &options.id_key, &options.value_key, &options.group_key, &options.within_key}) {
    keys.emplace_back(*key);
  }
  return std::make_shared<const std::vector<WantedKey>>(std::move(keys));
}

void lines_to_documents(Batch& batch, LineUse use, const ReadPlan& plan) { LineConsumer(batch, use, plan).run(); }

}  // namespace neardup::corpus

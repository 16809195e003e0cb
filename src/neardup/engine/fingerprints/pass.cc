#include "neardup/engine/fingerprints/pass.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/engine/read/document_pipeline.h"

namespace neardup::engine {
namespace {

/// What is left of a document when its batch has been worked on: a long text's memory is given back at once.
struct PassRow {
  fingerprint::Record record;  // without what stands in the slot: id, fingerprints, signature
  uint64_t text_bytes = 0;     // as it came
  uint64_t line = 0;
  uint32_t input = 0;
  uint32_t id_bytes = 0;
  bool has_id = false;
  bool has_features = false;
};

/// One batch on its way through the pipeline.
struct PassSlot {
  corpus::Batch batch;
  std::vector<PassRow> rows;
  std::string ids;                                      // of the rows, one after the other
  std::vector<fingerprint::Fingerprint> fingerprints;   // of document i at [i * per_document]
  std::vector<fingerprint::SignatureValue> signatures;  // of document i at [i * num_values]
};

class PassRunner {
 public:
  PassRunner(const FingerprintPass& pass, corpus::Reader reader)
      : pass_(pass),
        reader_(std::move(reader)),
        per_document_(pass.recipe.num_fingerprints()),
        num_values_(pass.recipe.num_signature_values()) {}

  Status run() {
    const int num_threads = resolve_num_threads(pass_.num_threads);
    NEARDUP_ASSIGN(auto pipeline,
                   DocumentPipeline<PassSlot>::create(pass_.recipe, pass_.idf, pass_.read.record_memory, num_threads,
                                                      static_cast<size_t>(num_threads) * 2 + 1));
    Progress* progress = pass_.context.progress;
    if (progress != nullptr) progress->begin_stage("fingerprint", "documents", reader_.total_bytes(), 0);
    NEARDUP_TRY(pipeline.run(pass_.context, {.next = [this](PassSlot& slot) { return reader_.next(slot.batch); },
                                             .load = [this](PassSlot& slot) { return load(slot); },
                                             .use =
                                                 [](PassSlot& slot, size_t, const corpus::Document& document,
                                                    auto& fingerprinter, auto& text_fingerprint) {
                                                   fingerprinter.fingerprint(document.text, text_fingerprint);
                                                   add(slot, document, text_fingerprint);
                                                 },
                                             .commit = [this](PassSlot& slot) { return commit(slot); }}));
    if (progress != nullptr) progress->end_stage();
    return {};
  }

  [[nodiscard]] const PassTotals& totals() const { return totals_; }

 private:
  Status load(PassSlot& slot) {
    slot.rows.clear();
    slot.ids.clear();
    slot.fingerprints.clear();
    slot.signatures.clear();
    return reader_.load(slot.batch);
  }

  static void add(PassSlot& slot, const corpus::Document& document, const recipe::TextFingerprint& text_fingerprint) {
    PassRow& row = slot.rows.emplace_back();
    row.record.checksum = text_fingerprint.checksum;
    row.record.size_bytes = text_fingerprint.size_bytes;
    row.record.num_tokens = text_fingerprint.tokens.size();
    row.text_bytes = document.text.size();
    row.line = document.line;
    row.input = document.input;
    row.id_bytes = static_cast<uint32_t>(document.id.size());
    row.has_id = document.has_id;
    row.has_features = text_fingerprint.has_features;
    slot.ids += document.id;
    slot.fingerprints.insert(slot.fingerprints.end(), text_fingerprint.fingerprints.begin(),
                             text_fingerprint.fingerprints.end());
    slot.signatures.insert(slot.signatures.end(), text_fingerprint.signature.begin(), text_fingerprint.signature.end());
  }

  Status commit(PassSlot& slot) {
    if (slot.batch.begins_input) lines_before_ = 0;
    std::string_view ids = slot.ids;
    for (size_t i = 0; i < slot.rows.size(); ++i) {
      NEARDUP_TRY(deliver(slot, i, ids.substr(0, slot.rows[i].id_bytes)));
      ids.remove_prefix(slot.rows[i].id_bytes);
    }
    for (const corpus::Rejection& rejection : slot.batch.rejections) reject(rejection);
    for (const corpus::Rejection& note : slot.batch.notes)
      if (pass_.on_note) pass_.on_note({input(note.input).path, 0, note.message});
    lines_before_ += slot.batch.num_lines;
    totals_.documents += slot.rows.size();
    totals_.input_bytes += slot.batch.bytes;
    if (pass_.context.progress != nullptr) pass_.context.progress->advance(totals_.input_bytes, totals_.documents);
    return pass_.on_batch ? pass_.on_batch() : Status{};
  }

  Status deliver(const PassSlot& slot, size_t i, std::string_view id) {
    const PassRow& row = slot.rows[i];
    totals_.text_bytes += row.text_bytes;
    if (!pass_.on_document) return {};
    if (!row.has_id) {
      made_id_.clear();
      fmt::format_to(std::back_inserter(made_id_), "{}:{}", input(row.input).name, lines_before_ + row.line + 1);
      id = made_id_;
    }
    fingerprint::Record record = row.record;
    record.id = id;
    if (row.has_features) {
      record.fingerprints = {slot.fingerprints.data() + i * per_document_, per_document_};
      record.signature = {slot.signatures.data() + i * num_values_, num_values_};
    }
    return pass_.on_document(record);
  }

  void reject(const corpus::Rejection& rejection) {
    ++totals_.rejected;
    const bool has_lines = input(rejection.input).format != corpus::Format::kText;
    if (pass_.on_rejected) {
      pass_.on_rejected(
          {input(rejection.input).path, has_lines ? lines_before_ + rejection.line + 1 : 0, rejection.message});
    }
  }

  const corpus::Input& input(uint32_t index) const { return reader_.inputs()[index]; }

  const FingerprintPass& pass_;
  corpus::Reader reader_;
  size_t per_document_, num_values_;
  uint64_t lines_before_ = 0;  // in the current input
  std::string made_id_;
  PassTotals totals_;
};

}  // namespace

fingerprint::FileHeader file_header(const recipe::Recipe& recipe) {
  return {recipe::recipe_id(recipe), recipe::to_json(recipe), static_cast<uint32_t>(recipe.num_fingerprints()),
          static_cast<uint32_t>(recipe.num_signature_values())};
}

Result<PassTotals> run_fingerprint_pass(const FingerprintPass& pass) {
  corpus::ReadOptions read = pass.read;
  read.context = pass.context;
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(pass.inputs, read));
  PassRunner runner(pass, std::move(reader));
  NEARDUP_TRY(runner.run());
  return runner.totals();
}

}  // namespace neardup::engine

// Text: a document a file.
#include "neardup/corpus/formats/text_load.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

// What a batch holds beside the bytes of its files (names, documents, rejections) stays small too.
constexpr uint32_t kMaxTextFiles = 4096;

class TextSource : public Source {
 public:
  /// Plain files that follow one another are gathered; a compressed one is a unit.
  void cut(const std::vector<Input>& inputs, uint32_t index, const ReadOptions& options,
           std::vector<Unit>& units) const override {
    const Input& input = inputs[index];
    if (input.is_packed() || units.empty() || !takes_more(inputs, units.back(), index, options.batch_bytes)) {
      units.push_back({index, 1, 0, input.size_bytes});
      return;
    }
    ++units.back().num_inputs;
    units.back().end += input.size_bytes;
  }
  /// load() decompresses.
  bool is_stream(const Input&) const override { return false; }
  Status load(const ReadPlan& plan, Load what, Batch& batch) const override {
    return load_text_files(plan.inputs, plan.options, what, batch);
  }

 private:
  static bool takes_more(const std::vector<Input>& inputs, const Unit& unit, uint32_t index, uint64_t batch_bytes) {
    const Input& first = inputs[unit.first_input];
    return first.format == Format::kText && !first.is_packed() && unit.first_input + unit.num_inputs == index &&
           unit.end < batch_bytes && unit.num_inputs < kMaxTextFiles;
  }
};

class TextSink : public Sink {
 public:
  void append(const Batch&, std::span<const Chosen> records, bool, std::string& out) const override {
    for (const Chosen& chosen : records) out += chosen.record->record;
  }
  bool is_whole_file() const override { return true; }
};

}  // namespace

const Source& text_source() {
  static const TextSource source;
  return source;
}

const Sink& text_sink() {
  static const TextSink sink;
  return sink;
}

}  // namespace neardup::corpus

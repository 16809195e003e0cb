// JSONL: a JSON object a line.
#include "neardup/base/json.h"
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/output.h"
#include "neardup/corpus/range_load.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

class JsonlSource : public Source {
 public:
  Status load(const ReadPlan& plan, Load what, Batch& batch) const override {
    return load_lines(plan, what, LineUse::kParseJson, batch);
  }
};

std::string json_members(const Note& note) {
  std::string members = "\"neardup_duplicate_of\":";
  if (!note.duplicate_of) members += "null";
  if (note.duplicate_of) append_json_string(members, *note.duplicate_of);
  return members + ",\"neardup_cluster\":" + (note.cluster ? std::to_string(*note.cluster) : "null");
}

class JsonlSink : public Sink {
 public:
  void append(const Batch&, std::span<const Chosen> records, bool, std::string& out) const override {
    for (const Chosen& chosen : records) {
      if (chosen.note) append_annotated_json(out, chosen.record->record, json_members(*chosen.note));
      if (!chosen.note) out += chosen.record->record;
      out += '\n';
    }
  }
  bool takes_notes() const override { return true; }
};

}  // namespace

const Source& jsonl_source() {
  static const JsonlSource source;
  return source;
}

const Sink& jsonl_sink() {
  static const JsonlSink sink;
  return sink;
}

}  // namespace neardup::corpus

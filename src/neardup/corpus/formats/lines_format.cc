// Lines: a document a line.
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/range_load.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

class LinesSource : public Source {
 public:
  Status load(const ReadPlan& plan, Load what, Batch& batch) const override {
    return load_lines(plan, what, LineUse::kWholeLine, batch);
  }
};

class LinesSink : public Sink {
 public:
  void append(const Batch&, std::span<const Chosen> records, bool, std::string& out) const override {
    for (const Chosen& chosen : records) out.append(chosen.record->record) += '\n';
  }
};

}  // namespace

const Source& lines_source() {
  static const LinesSource source;
  return source;
}

const Sink& lines_sink() {
  static const LinesSink sink;
  return sink;
}

}  // namespace neardup::corpus

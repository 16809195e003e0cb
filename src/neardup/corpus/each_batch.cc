#include "neardup/corpus/each_batch.h"

namespace neardup::corpus {

Status for_each_batch(const std::vector<Input>& inputs, const ReadOptions& options, const Context& context,
                      const TakeBatch& take) {
  ReadOptions heard = options;
  heard.context = context;
  NEARDUP_ASSIGN(Reader reader, Reader::open(inputs, heard));
  uint64_t lines_before = 0;
  for (Batch batch;;) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const bool more, reader.next(batch));
    if (!more) return {};
    NEARDUP_TRY(reader.load(batch));
    if (batch.begins_input) lines_before = 0;
    NEARDUP_ASSIGN(const bool goes_on, take(batch, lines_before));
    if (!goes_on) return {};
    lines_before += batch.num_lines;
  }
}

}  // namespace neardup::corpus

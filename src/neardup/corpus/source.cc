#include "neardup/corpus/source.h"

#include "neardup/corpus/stream_load.h"

namespace neardup::corpus {

void Source::cut(const std::vector<Input>& inputs, uint32_t index, const ReadOptions& options,
                 std::vector<Unit>& units) const {
  const uint64_t size_bytes = inputs[index].size_bytes;
  if (inputs[index].is_packed()) {
    units.push_back({index, 1, 0, size_bytes});
    return;
  }
  const uint64_t batch_bytes = options.batch_bytes;
  for (uint64_t begin = 0; begin < size_bytes;) {
    const uint64_t end = size_bytes - begin > batch_bytes ? begin + batch_bytes : size_bytes;
    units.push_back({index, 1, begin, end});
    begin = end;
  }
}

bool Source::is_stream(const Input& input) const { return input.is_packed(); }

Result<std::unique_ptr<BatchStream>> Source::open_stream(const Input& input, const ReadOptions& options) const {
  NEARDUP_ASSIGN(LineStream stream, LineStream::open(input, options));
  return std::make_unique<LineStream>(std::move(stream));
}

}  // namespace neardup::corpus

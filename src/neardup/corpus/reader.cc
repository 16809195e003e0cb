#include "neardup/corpus/reader.h"

#include <cstdlib>
#include <optional>

#include "neardup/base/hash.h"
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/formats/csv_header.h"
#include "neardup/corpus/formats/lines.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

constexpr uint64_t kMaxBatchBytes = uint64_t{1} << 40;

Status check(const ReadOptions& options) {
  if (options.batch_bytes < 1 || options.batch_bytes > kMaxBatchBytes) {
    return fail(Code::kInvalidArgument,
                "batch_bytes is " + std::to_string(options.batch_bytes) + "; give a value from 1 to 1 TiB");
  }
  if (options.max_record_bytes < 1 || options.max_record_bytes > kMostRecordBytes) {
    return fail(Code::kInvalidArgument,
                "max_record_bytes is " + std::to_string(options.max_record_bytes) + "; give a value from 1 to 1 GiB");
  }
  if (options.text_key.empty())
    return fail(Code::kInvalidArgument, "the text key is empty; name the field of the text");
  return {};
}

uint64_t checksum_of(const BatchBuffers& buffers) {
  const uint64_t header = buffers.csv_header == nullptr ? 0 : hash64(buffers.csv_header->bytes);
  return hash64(buffers.raw.view().substr(buffers.begin, buffers.end - buffers.begin), header);
}

/// What is wrong with the output of a program (Input::pre) is no fault of the file; that it failed, its message says.
void name_makers(const std::vector<Input>& inputs, std::vector<Rejection>& rejections) {
  for (Rejection& rejection : rejections) {
    const Input& input = inputs[rejection.input];
    if (input.pre.empty() || rejection.reason == "pre_failed" || rejection.reason == "unreadable") continue;
    rejection.message = "in what " + input.pre + " (--pre) made of the file: " + rejection.message;
  }
}

}  // namespace

void BatchBuffersDelete::operator()(BatchBuffers* buffers) const noexcept { delete buffers; }

struct Reader::Impl {
  ReadPlan plan;
  std::vector<Unit> units;
  size_t next_unit = 0;
  size_t end_unit = 0;
  uint64_t next_index = 0;

  std::unique_ptr<BatchStream> stream;  // of the input of unit next_unit, where that is read as one
  uint32_t stream_input = 0;            // that input
  bool stream_began = false;            // a batch of it was handed out
  uint64_t stream_claimed = 0;          // bytes of it that batches have told
  uint64_t unclaimed = 0;               // bytes of streams that ended after their last batch; the next batch tells them

  [[nodiscard]] const Input& input_of(const Unit& unit) const { return plan.inputs[unit.first_input]; }
  [[nodiscard]] const Source& source_of_unit(const Unit& unit) const { return source_of(input_of(unit).format); }
  [[nodiscard]] bool is_stream(const Unit& unit) const { return source_of_unit(unit).is_stream(input_of(unit)); }
  Status open_stream(const Unit& unit);
  Result<bool> next_of_stream(Batch& batch);
  Result<bool> next_of_packed(Batch& batch, const Unit& unit);
  void prepare(Batch& batch, const Unit& unit);
  Status fill(Batch& batch, Load what) const;
};

void Reader::Impl::prepare(Batch& batch, const Unit& unit) {
  if (batch.buffers == nullptr) batch.buffers.reset(new BatchBuffers);
  batch.buffers->permit.release();
  batch.buffers->unit = unit;
  batch.buffers->is_stream = is_stream(unit);
  batch.first_input = unit.first_input;
  batch.num_inputs = unit.num_inputs;
  batch.begins_input = unit.begin == 0;
  batch.bytes = unit.end - unit.begin;
  batch.data_bytes = input_of(unit).is_packed() ? 0 : batch.bytes;
  batch.num_lines = 0;
  batch.documents.clear();
  batch.rejections.clear();
  batch.notes.clear();
}

/// A shard may begin inside an input.
Status Reader::Impl::open_stream(const Unit& unit) {
  if (stream != nullptr && stream_input == unit.first_input) return {};
  NEARDUP_ASSIGN(stream, source_of_unit(unit).open_stream(input_of(unit), plan.options));
  stream_input = unit.first_input;
  stream_began = false;
  stream_claimed = 0;
  return unit.begin == 0 ? Status() : stream->skip_to(unit.begin);
}

/// Fills `batch` with the next records of the input of next_unit; false after the last of a compressed one.
Result<bool> Reader::Impl::next_of_stream(Batch& batch) {
  const Unit& unit = units[next_unit];
  NEARDUP_TRY(open_stream(unit));
  prepare(batch, unit);
  if (input_of(unit).is_packed()) return next_of_packed(batch, unit);
  NEARDUP_TRY(stream->fill(unit.end, *batch.buffers));
  ++next_unit;
  return true;
}

Result<bool> Reader::Impl::next_of_packed(Batch& batch, const Unit& unit) {
  NEARDUP_ASSIGN(const bool has_records, stream->fill(unit.end, *batch.buffers));
  if (!has_records) {
    unclaimed += unit.end - stream_claimed;
    stream.reset();
    ++next_unit;
    return false;
  }
  batch.data_bytes = batch.buffers->end;
  batch.begins_input = !stream_began;
  batch.bytes = stream->consumed() - stream_claimed;
  stream_claimed = stream->consumed();
  stream_began = true;
  return true;
}

Status Reader::Impl::fill(Batch& batch, Load what) const {
  if (batch.buffers == nullptr) std::abort();  // next() comes first
  batch.documents.clear();
  batch.rejections.clear();
  batch.notes.clear();
  batch.buffers->arena.clear();
  const bool is_made = batch.buffers->is_stream && !plan.inputs[batch.first_input].pre.empty();
  batch.checksum = is_made ? checksum_of(*batch.buffers) : 0;
  NEARDUP_TRY(source_of(plan.inputs[batch.first_input].format).load(plan, what, batch));
  name_makers(plan.inputs, batch.rejections);
  return {};
}

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::open(std::vector<Input> inputs, const ReadOptions& options) {
  NEARDUP_TRY(check(options));
  auto impl = std::make_unique<Impl>();
  impl->units = cut_units(inputs, options);
  impl->end_unit = impl->units.size();
  NEARDUP_ASSIGN(TextKey text_key, TextKey::parse(options.text_key));
  impl->plan = {std::move(inputs), options, want_keys(options), std::move(text_key)};
  return Reader(std::move(impl));
}

void Reader::set_shard(int index, int count) {
  if (index < 0 || index >= count || impl_->next_index != 0) std::abort();
  std::tie(impl_->next_unit, impl_->end_unit) = shard_of_units(impl_->units, index, count);
}

uint64_t Reader::total_bytes() const { return total_unit_bytes(impl_->units, impl_->next_unit, impl_->end_unit); }

Result<bool> Reader::next(Batch& batch) {
  while (impl_->next_unit < impl_->end_unit) {
    const Unit& unit = impl_->units[impl_->next_unit];
    if (impl_->is_stream(unit)) {
      NEARDUP_ASSIGN(const bool has_batch, impl_->next_of_stream(batch));
      if (!has_batch) continue;
    } else {
      impl_->prepare(batch, unit);
      ++impl_->next_unit;
    }
    batch.index = impl_->next_index++;
    batch.bytes += impl_->unclaimed;
    impl_->unclaimed = 0;
    return true;
  }
  return false;
}

Status Reader::load(Batch& batch) const { return impl_->fill(batch, Load::kDocuments); }
Status Reader::load_records(Batch& batch) const { return impl_->fill(batch, Load::kRecords); }
const std::vector<Input>& Reader::inputs() const { return impl_->plan.inputs; }

bool holds_record_memory(const Batch& batch) { return batch.buffers != nullptr && batch.buffers->permit.holds(); }

void drop_documents(Batch& batch) {
  batch.documents.clear();
  batch.buffers.reset();
}

}  // namespace neardup::corpus

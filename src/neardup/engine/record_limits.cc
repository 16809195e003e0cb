#include "neardup/engine/record_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "neardup/corpus/decompress.h"
#include "neardup/engine/options.h"
#include "neardup/text/charset.h"
#include "neardup/text/extract.h"

namespace neardup::engine {
namespace {

// Shorter texts are always usual ones: below this a permit costs more than it saves.
constexpr uint64_t kUsualBytes = uint64_t{64} << 10;

// What a long record takes: its line as it grows, the unescaped text, tokens on their way to the disk, and work.
uint64_t bytes_for(const recipe::Recipe& recipe, uint64_t record_bytes) {
  const uint64_t tree = recipe.extraction == "html" ? text::page_tree_bytes(record_bytes) : 0;
  return 5 * record_bytes + recipe::working_bytes(recipe, record_bytes, tree, true);
}

// What is left for the tree of a page where the record itself takes an eighth: 5 copies of its bytes as it is read and
// 3 as it is decoded, beside 64 bytes of tree for each.
uint64_t page_memory(const corpus::RecordMemory& memory) { return memory.budget.capacity_bytes() / 9 * 8; }

// The longest record of at most `most` bytes that fits: what a record takes grows with it, if not evenly.
uint64_t longest_that_fits(const recipe::Recipe& recipe, uint64_t memory_bytes, uint64_t most) {
  uint64_t fits = 0;
  for (uint64_t too_long = most + 1; too_long - fits > 1;) {
    const uint64_t middle = fits + (too_long - fits) / 2;
    (bytes_for(recipe, middle) <= memory_bytes ? fits : too_long) = middle;
  }
  return fits;
}

}  // namespace

corpus::ReadOptions within_memory(const corpus::ReadOptions& read, const recipe::Recipe& recipe, uint64_t memory_bytes,
                                  int num_threads) {
  corpus::ReadOptions result = read;
  result.any_encoding = recipe.extraction != "none";
  result.to_utf8 = to_utf8;
  memory_bytes = std::max(memory_bytes, kSmallestMemory);
  result.window_bytes = std::min(read.window_bytes, corpus::Decompressor::window_within(memory_bytes));
  const MemoryPlan plan({.memory_bytes = memory_bytes, .has_dictionary = recipe.needs_idf()});
  const uint64_t long_bytes = plan.bytes_of(MemoryUse::kLongRecords);
  result.record_memory = std::make_shared<corpus::RecordMemory>(long_bytes, plan.bytes_of(MemoryUse::kUsualRecords),
                                                                plan.bytes_of(MemoryUse::kLongBatches), num_threads);
  result.too_long_cure = "raise --max-record-bytes";
  const uint64_t longest = longest_that_fits(recipe, long_bytes, std::min(read.max_record_bytes, memory_bytes));
  if (longest == read.max_record_bytes) return result;
  result.max_record_bytes = longest;
  const uint64_t needed = MemoryPlan::memory_for_long_records(bytes_for(recipe, read.max_record_bytes));
  result.too_long_cure = fmt::format("give --memory at least {}M for records of up to {} bytes (--max-record-bytes)",
                                     (needed >> 20) + 1, read.max_record_bytes);
  return result;
}

std::string to_utf8(std::string_view bytes, std::string_view charset) {
  text::Decoder decoder;
  std::string out;
  const std::string_view text = decoder.decode(bytes, charset, out);
  if (text.data() != out.data()) out = text;
  return out;
}

uint64_t longest_page_bytes(const corpus::ReadOptions& read) {
  const uint64_t memory = read.record_memory == nullptr ? ~uint64_t{0} : page_memory(*read.record_memory);
  return std::min<uint64_t>(read.max_record_bytes, text::longest_page_bytes(memory));
}

Result<DocumentWorker> DocumentWorker::create(const recipe::Recipe& recipe, std::shared_ptr<const feature::Idf> idf,
                                              std::shared_ptr<corpus::RecordMemory> memory) {
  NEARDUP_ASSIGN(auto usual, recipe::Fingerprinter::create(recipe, idf));
  return DocumentWorker(recipe, std::move(idf), std::move(memory), std::move(usual));
}

uint64_t DocumentWorker::needed_bytes(std::string_view text, bool spares_memory) const {
  const uint64_t tree = std::min(recipe::page_tree_bytes(recipe_, text), page_memory(*memory_));
  return recipe::working_bytes(recipe_, text.size(), tree, spares_memory);
}

bool DocumentWorker::is_usual(std::string_view text) const {
  return memory_ == nullptr || text.size() <= kUsualBytes || needed_bytes(text, false) <= memory_->light_work_bytes;
}

recipe::Fingerprinter DocumentWorker::create_sparing() const {
  auto sparing = recipe::Fingerprinter::create(recipe_, idf_);
  if (!sparing) std::abort();  // usual_ was made of the same
  sparing->spare_memory();
  sparing->limit_pages(page_memory(*memory_));
  return std::move(*sparing);
}

}  // namespace neardup::engine

// Entries come in ascending order of hashes, and homes grow with them, so a table is filled from front to back and
// never searched while it is. Tokens that are in as many documents as the median one are not stored: what is not found
// weighs that anyway.
#include "neardup/feature/idf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/hash.h"
#include "neardup/feature/dictionary_memory.h"
#include "neardup/feature/idf_impl.h"

namespace neardup::feature {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 35;  // more tokens than a table has homes for
constexpr uint64_t kMemoryPerFileByte = 4;  // the mapped file, its entries, their buckets: 12, 12 and 13.3 per token

float weight_of(uint64_t num_documents, uint32_t df) {
  return static_cast<float>(std::log((1.0 + static_cast<double>(num_documents)) / (1.0 + df)) + 1.0);
}

/// Most tokens are in few documents: remembers the weights of those counts.
class WeightTable {
 public:
  explicit WeightTable(uint64_t num_documents) : num_documents_(num_documents), weights_(1024) {
    for (uint32_t df = 1; df < weights_.size(); ++df) weights_[df] = weight_of(num_documents, df);
  }
  float operator()(uint32_t df) const { return df < weights_.size() ? weights_[df] : weight_of(num_documents_, df); }

 private:
  uint64_t num_documents_;
  std::vector<float> weights_;
};

}  // namespace

void Idf::Impl::begin_filling(size_t num_stored) {
  table.num_homes = num_stored * 5 / (3 * IdfBucket::kSize) + 1;  // three of five places taken
  table.unknown_weight = median;
  buckets.assign(table.num_homes + 1, IdfBucket{});
  last_bucket_ = last_place_ = 0;
}

void Idf::Impl::store(uint64_t hash, float weight) {
  const size_t home = table.home_of(hash);
  if (last_bucket_ < home || last_place_ == IdfBucket::kSize) {
    last_bucket_ = std::max(home, last_bucket_ + 1);
    last_place_ = 0;
  }
  if (last_bucket_ + 1 >= buckets.size()) buckets.resize(last_bucket_ + 2);
  longest_probe = std::max(longest_probe, last_bucket_ - home);
  buckets[last_bucket_].tags[last_place_] = IdfTable::tag_of(hash);
  buckets[last_bucket_].weights[last_place_++] = weight;
}

void Idf::Impl::fill(const std::vector<IdfEntry>& all) {
  const auto is_stored = [this](const IdfEntry& entry) { return entry.num_documents != counts.head.median_df; };
  begin_filling(static_cast<size_t>(std::count_if(all.begin(), all.end(), is_stored)));
  const WeightTable weights(counts.head.num_documents);
  for (const IdfEntry& entry : all) {
    if (is_stored(entry)) store(entry.hash(), weights(entry.num_documents));
  }
  table.buckets = buckets.data();
}

void Idf::Impl::fill(const std::vector<Feature>& all) {
  const auto is_stored = [this](const Feature& token) { return token.weight != median; };
  begin_filling(static_cast<size_t>(std::count_if(all.begin(), all.end(), is_stored)));
  for (const Feature& token : all) {
    if (is_stored(token)) store(token.hash, token.weight);
  }
  table.buckets = buckets.data();
}

std::unique_ptr<Idf::Impl> make_idf(IdfCounts counts, bool keep_counts) {
  auto impl = std::make_unique<Idf::Impl>();
  impl->checksum = idf_checksum(counts);
  if (counts.head.num_tokens > 0) impl->median = weight_of(counts.head.num_documents, counts.head.median_df);
  impl->counts = std::move(counts);
  impl->fill(impl->counts.entries);
  impl->has_counts = keep_counts;
  if (!keep_counts) impl->counts.entries = {};
  return impl;
}

namespace {

Result<std::shared_ptr<const Idf>> parse(std::string_view bytes, const std::string& where) {
  constexpr size_t kMaxProbe = 512;  // hashes stay below some tens, however many they are
  std::string aligned;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(IdfEntry) != 0) {
    aligned = bytes;
    bytes = aligned;
  }
  NEARDUP_ASSIGN(IdfView view, view_idf(bytes, where));
  std::unique_ptr<Idf::Impl> impl = make_idf({std::move(view.head), {view.entries.begin(), view.entries.end()}}, true);
  if (impl->longest_probe > kMaxProbe) {
    return fail(
        Code::kCorruption,
        fmt::format("'{}' is not an IDF dictionary: its token hashes crowd, {} buckets full in a row, which would make "
                    "look-ups slow; train it again with 'neardup idf'",
                    where, impl->longest_probe));
  }
  return std::make_shared<const Idf>(std::move(impl));
}

}  // namespace

Idf::Idf(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Idf::~Idf() = default;

float Idf::weight(uint64_t token_hash) const { return idf_weight(impl_->table, token_hash); }

void Idf::multiply_weights(std::span<const uint64_t> token_hashes, std::span<float> weights) const {
  multiply_idf_weights(impl_->table, token_hashes, weights);
}

uint64_t Idf::num_documents() const { return impl_->counts.head.num_documents; }
uint64_t Idf::num_tokens() const { return impl_->counts.head.num_tokens; }
float Idf::median() const { return impl_->median; }
const std::string& Idf::tokens() const { return impl_->counts.head.tokens; }
uint32_t Idf::min_documents() const { return impl_->counts.head.min_documents; }
uint64_t Idf::num_entries() const { return impl_->counts.head.num_entries; }
std::string Idf::id() const { return to_hex(impl_->checksum.high); }

Status Idf::save(const std::string& path) const {
  if (!impl_->has_counts) {
    return fail(
        Code::kUnsupported,
        fmt::format("cannot save an IDF dictionary to '{}': its counts were not kept; build it with keep_counts",
                    path));
  }
  return write_idf_file(impl_->counts, path);
}

Result<std::shared_ptr<const Idf>> Idf::load(const std::string& path, uint64_t memory_bytes) {
  NEARDUP_TRY(check_dictionary_memory(
      path, kMemoryPerFileByte, memory_bytes,
      fmt::format("leave rare tokens out: neardup idf merge '{}' --min-documents 2 -o smaller.idf", path)));
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (info.size_bytes > kMaxFileBytes) {
    return fail(Code::kMemory, fmt::format("'{}' has {} bytes; an IDF dictionary of at most {} can be used: leave rare "
                                           "tokens out with 'neardup idf merge --min-documents'",
                                           path, info.size_bytes, kMaxFileBytes));
  }
  NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(path));
  return parse(file.bytes(), path);
}

std::shared_ptr<const Idf> Idf::from_weights(std::vector<Feature> weights, float median) {
  std::stable_sort(weights.begin(), weights.end(), [](const Feature& a, const Feature& b) { return a.hash < b.hash; });
  const auto same_hash = [](const Feature& a, const Feature& b) { return a.hash == b.hash; };
  weights.erase(std::unique(weights.begin(), weights.end(), same_hash), weights.end());
  auto impl = std::make_unique<Impl>();
  std::string bytes;
  for (const Feature& token : weights) {
    append_little(bytes, token.hash);
    append_little(bytes, std::bit_cast<uint32_t>(token.weight));
  }
  append_little(bytes, std::bit_cast<uint32_t>(median));
  impl->checksum = hash128(bytes);
  impl->has_counts = false;
  impl->counts.head.num_tokens = impl->counts.head.num_entries = weights.size();
  impl->median = median;
  impl->fill(weights);
  return std::make_shared<const Idf>(std::move(impl));
}

Result<std::shared_ptr<const Idf>> Idf::from_bytes(std::string_view bytes) { return parse(bytes, "memory"); }

}  // namespace neardup::feature

// Counters of half a byte, since beyond 15 other texts an n-gram says next to nothing; one for each token of the
// corpus, as no more different n-grams can be there. n-grams are not stored: those whose hashes share a counter count
// together, and the mean of what that adds, known from the number of counters, is taken off (docs/design/content.md,
// "How common runs are learnt"). In a cold table each counter is a miss, so they are asked for ahead, and the table
// lies on huge pages: where the machine is a virtual one, finding each page costs more than the miss
// (bench/results/content.md, "Cost").
// Files come from outside: lengths and the size of the table are checked before anything is unpacked.
// docs/formats/commonness.md.
#include "neardup/verify/commonness.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"

namespace neardup::verify {
namespace {

constexpr std::string_view kMagic = "NDUPCMN\n";
constexpr uint32_t kVersion = 1;
constexpr size_t kChecksumBytes = 8;
constexpr uint64_t kLeastBytes = Commonness::kLeastCounters / 2, kMostBytes = Commonness::kMostCounters / 2;
constexpr int kLeastLog2 = std::countr_zero(Commonness::kLeastCounters);
constexpr int kMostLog2 = std::countr_zero(Commonness::kMostCounters);

int counters_log2(uint64_t num_tokens, uint64_t memory_bytes) {
  const uint64_t wanted = std::bit_ceil(std::clamp(num_tokens, Commonness::kLeastCounters, Commonness::kMostCounters));
  const uint64_t room = std::bit_floor(std::clamp(memory_bytes, kLeastBytes, kMostBytes));
  return std::countr_zero(std::min(wanted, 2 * room));
}

tl::unexpected<Error> corrupt(const std::string& name, const std::string& what) {
  return fail(
      Code::kCorruption,
      fmt::format("'{}' is not a whole file of how common n-grams are: {}; take that of another run", name, what));
}

// Counters repeat nothing but runs of zeros, so a search for more than those takes time and makes the file larger: a
// tenth less of both than by level 1. Returns the size, or an error of zstd.
size_t pack(std::string_view counters, std::span<char> packed) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (context == nullptr) throw std::bad_alloc();
  constexpr std::pair<ZSTD_cParameter, int> kParameters[] = {{ZSTD_c_compressionLevel, 1},
                                                             {ZSTD_c_windowLog, 17},
                                                             {ZSTD_c_hashLog, 6},
                                                             {ZSTD_c_minMatch, 7},
                                                             {ZSTD_c_strategy, ZSTD_fast}};
  for (const auto& [parameter, value] : kParameters) {
    const size_t error = ZSTD_CCtx_setParameter(context.get(), parameter, value);
    if (ZSTD_isError(error) != 0) return error;
  }
  return ZSTD_compress2(context.get(), packed.data(), packed.size(), counters.data(), counters.size());
}

}  // namespace

Commonness::Commonness(int counters_log2)
    : shift_(32 - counters_log2), counters_(LargeArray<uint8_t>::zeros(uint64_t{1} << counters_log2 >> 1)) {}
Commonness::Commonness(uint64_t num_tokens, uint64_t memory_bytes)
    : Commonness(counters_log2(num_tokens, memory_bytes)) {}

uint64_t Commonness::num_counters_for(uint64_t num_tokens, uint64_t memory_bytes) {
  return uint64_t{1} << counters_log2(num_tokens, memory_bytes);
}

Result<std::shared_ptr<const Commonness>> Commonness::of_counters(std::span<const uint8_t> counters, uint64_t num_texts,
                                                                  uint64_t num_ngrams) {
  if (!std::has_single_bit(counters.size()) || counters.size() < kLeastBytes || counters.size() > kMostBytes)
    return fail(Code::kInvalidArgument,
                fmt::format("{} bytes of counters of n-grams: a power of two is expected, {} to "
                            "{}",
                            counters.size(), kLeastBytes, kMostBytes));
  std::shared_ptr<Commonness> table(new Commonness(std::countr_zero(2 * counters.size())));
  std::ranges::copy(counters, table->counters_.data());
  table->num_texts_ = num_texts;
  table->num_added_ = num_ngrams;
  table->settle();
  return table;
}

// Ascending hashes lie part by part: each part is locked once, and its counters need no atomic steps, which would each
// wait for memory alone.
void Commonness::add(std::span<const uint32_t> hashes) {
  constexpr int kPartShift = 32 - std::countr_zero(kParts);
  for (size_t begin = 0, end = 0; begin < hashes.size(); begin = end) {
    const uint32_t part = hashes[begin] >> kPartShift;
    while (end < hashes.size() && hashes[end] >> kPartShift == part) ++end;
    const std::lock_guard lock(locks_[part]);
    raise(hashes.subspan(begin, end - begin));
  }
  num_added_.fetch_add(hashes.size(), std::memory_order_relaxed);
  num_texts_.fetch_add(1, std::memory_order_relaxed);
}

// Bytes may alias the members, which would be read anew for each: so both of these hold copies.
void Commonness::raise(std::span<const uint32_t> hashes) {
  constexpr size_t kAhead = 16;
  uint8_t* const counters = counters_.data();
  const int shift = shift_;
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (i + kAhead < hashes.size()) __builtin_prefetch(counters + (hashes[i + kAhead] >> shift >> 1), 1);
    const uint32_t counter = hashes[i] >> shift;
    const int half = static_cast<int>(counter % 2) * 4;
    uint8_t& byte = counters[counter / 2];
    byte = static_cast<uint8_t>(byte + (static_cast<int>((byte >> half & kMost) < kMost) << half));
  }
}

void Commonness::count_all(std::span<const uint32_t> hashes, std::vector<uint8_t>& counted) const {
  constexpr size_t kAhead = 32;
  const uint8_t* const counters = counters_.data();
  const int shift = shift_;
  const auto count = [=](uint32_t hash) {
    const uint32_t counter = hash >> shift;
    return static_cast<uint32_t>(counters[counter / 2] >> (counter % 2 * 4) & kMost);
  };
  counted.resize((hashes.size() + 1) / 2);
  uint8_t* const out = counted.data();
  for (size_t i = 0; i < hashes.size(); i += 2) {
    for (size_t ahead = i + kAhead; ahead < std::min(i + kAhead + 2, hashes.size()); ++ahead)
      __builtin_prefetch(counters + (hashes[ahead] >> shift >> 1));
    const uint32_t second = i + 1 < hashes.size() ? count(hashes[i + 1]) : 0;
    out[i / 2] = static_cast<uint8_t>(count(hashes[i]) | second << 4);
  }
}

// The mean of what the others add to a counter, rounded. No sum: the number may come from a file.
void Commonness::settle() {
  const uint64_t num_counters = 2 * uint64_t{counters_.size()};
  const uint64_t mean = num_added_ / num_counters + (num_added_ % num_counters >= num_counters / 2 ? 1 : 0);
  noise_ = static_cast<uint32_t>(std::min<uint64_t>(mean, kMost));
}

std::string Commonness::id() const { return to_hex(hash64(bytes_of(counters()), noise_)); }

Status Commonness::save(const std::string& path) const {
  std::string bytes(kMagic);
  append_little(bytes, kVersion);
  append_little(bytes, static_cast<uint32_t>(32 - shift_));
  append_little(bytes, num_texts_.load());
  append_little(bytes, num_added_.load());
  const size_t begin = bytes.size();
  bytes.resize(begin + ZSTD_compressBound(counters_.size()));
  const size_t size = pack(bytes_of(counters()), {bytes.data() + begin, bytes.size() - begin});
  if (ZSTD_isError(size) != 0)
    return fail(Code::kMemory, fmt::format("cannot pack '{}': {}", path, ZSTD_getErrorName(size)));
  bytes.resize(begin + size);
  append_little(bytes, hash64(bytes));
  return write_file_atomically(path, bytes);
}

Result<std::shared_ptr<const Commonness>> Commonness::load(const std::string& path, uint64_t memory_bytes) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path, std::min(memory_bytes, kMostCounters)));
  return parse(bytes, path, memory_bytes - bytes.size());
}

Result<std::shared_ptr<const Commonness>> Commonness::parse(std::string_view bytes, const std::string& name,
                                                            uint64_t memory_bytes) {
  if (!bytes.starts_with(kMagic)) return corrupt(name, "it does not begin with 'NDUPCMN'");
  if (bytes.size() < kMagic.size() + kChecksumBytes) return corrupt(name, "it ends early");
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  ByteReader end(bytes.substr(body.size()));
  if (end.number<uint64_t>() != hash64(body)) return corrupt(name, "its checksum does not fit");
  ByteReader reader(body.substr(kMagic.size()));
  const auto version = reader.number<uint32_t>(), log2 = reader.number<uint32_t>();
  const auto num_texts = reader.number<uint64_t>(), num_added = reader.number<uint64_t>();
  if (version != kVersion)
    return corrupt(name, fmt::format("format version {}, this program reads {}", version, kVersion));
  if (!reader.ok() || log2 < kLeastLog2 || log2 > kMostLog2)
    return corrupt(name, fmt::format("2^{} counters, 2^{} to 2^{} expected", log2, kLeastLog2, kMostLog2));
  const uint64_t size_bytes = uint64_t{1} << log2 >> 1;
  const std::string_view packed = reader.rest();
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size_bytes ||
      ZSTD_findFrameCompressedSize(packed.data(), packed.size()) != packed.size())
    return corrupt(name, "its counters are incomplete");
  if (size_bytes > memory_bytes)
    return fail(Code::kMemory, fmt::format("'{}' takes {} MiB of memory, more than --memory leaves for it", name,
                                           (size_bytes >> 20) + 1));
  std::shared_ptr<Commonness> table(new Commonness(static_cast<int>(log2)));
  const size_t size = ZSTD_decompress(table->counters_.data(), size_bytes, packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != size_bytes) return corrupt(name, "its counters are incomplete");
  table->num_texts_ = num_texts;
  table->num_added_ = num_added;
  table->settle();
  return table;
}

}  // namespace neardup::verify

// Postings (key, row) are sorted by key: rows of one key then lie together. Each pair of them becomes a record of its
// own, and the sum of a pair's records is how many keys it shares.
#include "neardup/join/disk/shared_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/base.h"
#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/join/disk/keyed_sorter.h"

namespace neardup::join {
namespace {

constexpr uint64_t key_of_pair(uint32_t better, uint32_t worse) { return uint64_t{worse} << 32 | better; }

}  // namespace

struct SharedKeys::Impl {
  SharedKeysOptions options;
  std::optional<KeyedSorter> postings;  // until finish()
  KeyedSorter pairs;
  std::vector<uint32_t> num_own;  // of each row; all of its keys until finish()
  std::vector<bool> has_common;   // of each row
  MappedFile common = {};         // ascending; on disk, as nobody knows how many there are
  std::vector<SharedKeyPair> block = {};
  // While pairing:
  uint64_t key = 0;
  bool is_common_key = false;
  std::vector<uint32_t> rows = {};  // of the current key, up to one more than most_rows
  std::vector<KeyedValue> found = {};

  Impl(const SharedKeysOptions& all_options, uint32_t num_rows, KeyedSorter of_postings, KeyedSorter of_pairs)
      : options(all_options),
        postings(std::move(of_postings)),
        pairs(std::move(of_pairs)),
        num_own(num_rows),
        has_common(num_rows) {}
  ~Impl() {
    common = {};
    remove_all_quietly(common_path());  // nobody is left to tell
  }

  [[nodiscard]] std::string common_path() const { return options.folder + "/common_keys.tmp"; }

  Status finish(const WantedPair& wanted) {
    NEARDUP_TRY(postings->finish());
    NEARDUP_ASSIGN(AppendFile common_file, AppendFile::open(common_path(), 0));
    while (true) {
      NEARDUP_TRY(options.context.check_cancel());
      NEARDUP_ASSIGN(const auto postings_block, postings->next());
      if (postings_block.empty()) break;
      for (const KeyedValue& posting : postings_block) NEARDUP_TRY(take(posting, wanted, common_file));
    }
    NEARDUP_TRY(end_key(wanted));
    postings.reset();
    NEARDUP_TRY(common_file.flush());
    NEARDUP_ASSIGN(common, MappedFile::open(common_path()));
    return pairs.finish();
  }

  Status take(const KeyedValue& posting, const WantedPair& wanted, AppendFile& common_file) {
    if (posting.key != key) {
      NEARDUP_TRY(end_key(wanted));
      key = posting.key;
    }
    const auto row = static_cast<uint32_t>(posting.value);
    if (is_common_key) {
      leave_out(row);
      return {};
    }
    rows.push_back(row);
    if (rows.size() <= options.most_rows) return {};
    is_common_key = true;
    for (const uint32_t common_row : rows) leave_out(common_row);
    return common_file.append(bytes_of_one(key));
  }

  Status end_key(const WantedPair& wanted) {
    if (!is_common_key) NEARDUP_TRY(pair_rows(wanted));
    rows.clear();
    is_common_key = false;
    return {};
  }

  void leave_out(uint32_t row) {
    --num_own[row];
    has_common[row] = true;
  }

  // Postings of one key are in order of their rows.
  Status pair_rows(const WantedPair& wanted) {
    found.clear();
    for (size_t i = 1; i < rows.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (wanted(rows[j], rows[i])) found.push_back({.value = 1, .key = key_of_pair(rows[j], rows[i])});
    return pairs.add(found, 0);
  }
};

Result<SharedKeys> SharedKeys::create(uint32_t num_rows, const SharedKeysOptions& options) {
  NEARDUP_ASSIGN(auto postings, KeyedSorter::create(options.folder + "/postings", options.postings_memory,
                                                    options.num_threads, EqualKeys::kAll));
  NEARDUP_ASSIGN(auto pairs,
                 KeyedSorter::create(options.folder + "/key_pairs", options.pairs_memory, 1, EqualKeys::kSum));
  return SharedKeys(std::make_unique<Impl>(options, num_rows, std::move(postings), std::move(pairs)));
}

SharedKeys::SharedKeys(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SharedKeys::SharedKeys(SharedKeys&& other) noexcept = default;
SharedKeys& SharedKeys::operator=(SharedKeys&& other) noexcept = default;
SharedKeys::~SharedKeys() = default;

Status SharedKeys::add(uint32_t row, std::span<const uint64_t> keys, int thread) {
  impl_->num_own[row] = static_cast<uint32_t>(keys.size());
  KeyedValue record{.value = row, .key = 0};
  for (const uint64_t key : keys) {
    record.key = key;
    NEARDUP_TRY(impl_->postings->add(std::span(&record, 1), thread));
  }
  return {};
}

Status SharedKeys::finish(const WantedPair& wanted) { return impl_->finish(wanted); }

Result<std::span<const SharedKeyPair>> SharedKeys::next() {
  NEARDUP_ASSIGN(const auto records, impl_->pairs.next());
  impl_->block.clear();
  for (const KeyedValue& record : records)
    impl_->block.push_back({static_cast<uint32_t>(record.key), static_cast<uint32_t>(record.key >> 32), record.value});
  return std::span<const SharedKeyPair>(impl_->block);
}

uint32_t SharedKeys::num_own_keys(uint32_t row) const { return impl_->num_own[row]; }
bool SharedKeys::has_common_keys(uint32_t row) const { return impl_->has_common[row]; }
bool SharedKeys::is_common(uint64_t key) const { return std::ranges::binary_search(impl_->common.as<uint64_t>(), key); }
uint64_t SharedKeys::num_common_keys() const { return impl_->common.as<uint64_t>().size(); }

}  // namespace neardup::join

#include "neardup/store/fingerprint_index.h"

#include <algorithm>
#include <utility>

#include "neardup/fingerprint/wide.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/fingerprint_words.h"
#include "neardup/store/recent_fingerprints.h"

namespace neardup::store {
namespace {

using fingerprint::AnyFingerprint;

/// Holds fingerprint i of document d under d * num_fingerprints + i.
template <AnyFingerprint F>
class IndexOf : public FingerprintIndex {
 public:
  IndexOf(const StoreSettings& settings, UpdateOptions options, std::vector<Segment<F>> segments,
          typename UpdatableIndex<F>::Commit commit)
      : each_(settings.num_fingerprints),
        max_distance_(settings.max_distance),
        recent_(settings.num_fingerprints),
        index_(std::move(options), std::move(segments), std::move(commit)) {}

  uint32_t num_fingerprints() const override { return each_; }
  Status add(uint64_t number, std::span<const uint64_t> words) override {
    std::vector<F> values;
    append_values(words, values);
    NEARDUP_TRY(index_.insert(values, entries_of({&number, 1})));
    recent_.add(number, values);
    return {};
  }
  bool may_be_within_reach_since(uint64_t first, std::span<const uint64_t> words) const override {
    return recent_.may_reach(first, words, max_distance_);
  }
  Status erase(std::span<const uint64_t> documents) override { return index_.erase(entries_of(documents)); }
  void resume() override { index_.resume(); }
  void keep_in_memory(bool keeps) override { index_.keep_in_memory(keeps); }
  Status flush() override { return index_.flush(); }
  Status compact() override { return index_.compact(); }
  UpdateFigures figures() const override { return index_.view().figures(); }

  std::vector<uint64_t> segments() const override {
    std::vector<uint64_t> numbers;
    const View<F> view = index_.view();
    for (const Segment<F>& segment : view.segments()) numbers.push_back(segment.number);
    return numbers;
  }

  void find_within_reach(std::span<const Record> documents, const Found& found) const override {
    std::vector<F> queries;
    std::vector<size_t> of;
    for (size_t i = 0; i < documents.size(); ++i) {
      append_values(documents[i].fingerprints, queries);
      of.resize(queries.size(), i);
    }
    if (queries.empty()) return;
    index_.view().query_batch(queries, max_distance_, [&](size_t query, const auto& matches) {
      const size_t i = of[query];
      const size_t which = query - (std::lower_bound(of.begin(), of.end(), i) - of.begin());
      for (const auto& match : matches)
        if (match.document % each_ == which) found(i, match.document / each_);
    });
  }

 private:
  std::vector<uint64_t> entries_of(std::span<const uint64_t> documents) const {
    std::vector<uint64_t> entries;
    for (const uint64_t document : documents)
      for (uint32_t which = 0; which < each_; ++which) entries.push_back(document * each_ + which);
    return entries;
  }

  const uint32_t each_;
  const int max_distance_;
  RecentFingerprints<F> recent_;  // of those that change
  UpdatableIndex<F> index_;
};

UpdateOptions options_of_index(const StoreSettings& settings, const StoreOptions& options) {
  UpdateOptions update;
  update.max_distance = settings.max_distance;
  update.plan_for = plans_by_number(static_cast<int>(settings.num_bits), update.max_distance);
  update.context = options.context;
  return update;
}

template <AnyFingerprint F>
typename UpdatableIndex<F>::Commit commit_of(const std::string& folder, FingerprintIndex::Commit commit) {
  if (!commit) return {};
  return [folder, commit = std::move(commit)](std::span<const Segment<F>> segments) {
    std::vector<uint64_t> numbers;
    for (const Segment<F>& segment : segments) numbers.push_back(segment.number);
    return commit(numbers, [&](uint64_t number, uint64_t file_number) {
      const auto segment = std::ranges::find(segments, number, &Segment<F>::number);
      return write_segment<F>(folder, file_number, *segment);
    });
  };
}

// Segments by the functions of index folders, whose manifest differs.
template <AnyFingerprint F>
Result<std::unique_ptr<FingerprintIndex>> open_index(const std::string& folder, const StoreSettings& settings,
                                                     const std::vector<SegmentFiles>& segments,
                                                     const StoreOptions& options, FingerprintIndex::Commit commit) {
  Manifest named;
  named.settings.num_bits = static_cast<int>(settings.num_bits);
  named.settings.max_distance = settings.max_distance;
  named.segments = segments;
  NEARDUP_ASSIGN(auto content, open_content<F>(folder, named, hamming::Access::kMap, options.verify, options.context));
  return std::make_unique<IndexOf<F>>(settings, options_of_index(settings, options), std::move(content.segments),
                                      commit_of<F>(folder, std::move(commit)));
}

}  // namespace

Result<std::unique_ptr<FingerprintIndex>> FingerprintIndex::open(const std::string& folder,
                                                                 const StoreSettings& settings,
                                                                 const std::vector<SegmentFiles>& segments,
                                                                 const StoreOptions& options, Commit commit) {
  const auto open =
      settings.num_bits == 64 ? open_index<fingerprint::Fingerprint> : open_index<fingerprint::Fingerprint128>;
  return open(folder, settings, segments, options, std::move(commit));
}

}  // namespace neardup::store

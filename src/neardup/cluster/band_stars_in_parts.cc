// A rank is decided by better ranks alone, and only by those of them that are kept. So a part of the ranks is first
// compared with what was kept before it, as much at a time as there is room for, in ascending order: the first one that
// is similar is the one that star_clusters() finds. What remains of the part is then decided among itself.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "neardup/cluster/band_stars.h"

namespace neardup::cluster {
namespace {

class Parts {
 public:
  Parts(std::span<const BandedSource> layers, uint32_t ranks_at_once, const Verify& verify,
        const ClusterOptions& options)
      : layers_(layers), half_(ranks_at_once / 2), verify_(verify), options_(options), kept_(options.num_references) {
    stars_.assignments.resize(layers[0].source.count);
    for (uint32_t rank = 0; rank < stars_.assignments.size(); ++rank) stars_.assignments[rank].kept = rank;
    std::iota(kept_.begin(), kept_.end(), 0U);
  }

  Result<BandStars> run() {
    const auto num_ranks = static_cast<uint32_t>(stars_.assignments.size());
    Progress* progress = options_.context.progress;
    if (progress != nullptr) progress->begin_stage("cluster", "documents", 0, num_ranks);
    for (uint32_t begin = options_.num_references; begin < num_ranks;) {
      const uint32_t end = begin + std::min(half_, num_ranks - begin);
      NEARDUP_TRY(decide(begin, end));
      begin = end;
      if (progress != nullptr) progress->advance(0, end);
    }
    if (progress != nullptr) progress->end_stage();
    return std::move(stars_);
  }

 private:
  Status decide(uint32_t begin, uint32_t end) {
    std::vector<uint32_t> part(end - begin);
    std::iota(part.begin(), part.end(), begin);
    for (std::span<const uint32_t> before = kept_;;) {
      const auto some = before.first(std::min<size_t>(half_, before.size()));
      before = before.subspan(some.size());
      NEARDUP_TRY(compare(some, part, !before.empty()));
      if (before.empty()) break;
    }
    kept_.insert(kept_.end(), part.begin(), part.end());
    return {};
  }

  // Leaves in `part` what is similar to none of `kept` and, unless only_with_kept, is kept itself.
  Status compare(std::span<const uint32_t> kept, std::vector<uint32_t>& part, bool only_with_kept) {
    std::vector<uint32_t> ranks(kept.begin(), kept.end());
    ranks.insert(ranks.end(), part.begin(), part.end());
    ClusterOptions options = options_;
    options.num_references = static_cast<uint32_t>(kept.size());
    options.only_with_references = only_with_kept;
    options.context.progress = nullptr;
    const Verify verify = [&](uint32_t better, uint32_t worse) { return verify_(ranks[better], ranks[worse]); };
    NEARDUP_ASSIGN(const BandStars stars, stars_of(ranks, verify, options));
    stars_.num_candidates += stars.num_candidates;
    part.clear();
    for (size_t i = kept.size(); i < ranks.size(); ++i) {
      const Assignment& found = stars.assignments[i];
      if (found.kept == i) {
        part.push_back(ranks[i]);
      } else {
        stars_.assignments[ranks[i]] = {ranks[found.kept], found.similarity, found.distance};
      }
    }
    return {};
  }

  Result<BandStars> stars_of(std::span<const uint32_t> ranks, const Verify& verify,
                             const ClusterOptions& options) const {
    std::vector<std::vector<uint16_t>> values(layers_.size());
    std::vector<std::vector<uint32_t>> places(layers_.size()), rows_of(layers_.size());
    std::vector<BandedSignatures> loaded;
    for (size_t i = 0; i < layers_.size(); ++i) {
      const BandedSource& layer = layers_[i];
      const std::vector<uint32_t>& rows = rows_of[i] = rows_in(layer, ranks, places[i]);
      if (i > 0 && rows.empty()) break;
      values[i].resize(rows.size() * static_cast<size_t>(layer.source.num_values));
      NEARDUP_TRY(layer.source.read(rows, values[i].data()));
      loaded.push_back({.values = values[i],
                        .num_values = layer.source.num_values,
                        .bands = layer.bands,
                        .min_equal = layer.min_equal,
                        .ranks = places[i],
                        .late = layer.late,
                        .rows_of_late = rows});
    }
    return band_stars(loaded, verify, options);
  }

  // Returns the rows of those of `ranks` that the layer has, and their places among `ranks` where it has not all.
  static std::vector<uint32_t> rows_in(const BandedSource& layer, std::span<const uint32_t> ranks,
                                       std::vector<uint32_t>& places) {
    std::vector<uint32_t> rows;
    if (layer.ranks.empty()) rows.assign(ranks.begin(), ranks.end());
    auto at = layer.ranks.begin();
    for (uint32_t i = 0; i < ranks.size() && !layer.ranks.empty(); ++i) {
      at = std::lower_bound(at, layer.ranks.end(), ranks[i]);
      if (at == layer.ranks.end() || *at != ranks[i]) continue;
      rows.push_back(static_cast<uint32_t>(at - layer.ranks.begin()));
      places.push_back(i);
    }
    return rows;
  }

  const std::span<const BandedSource> layers_;
  const uint32_t half_;
  const Verify& verify_;
  const ClusterOptions& options_;
  std::vector<uint32_t> kept_;  // so far, ascending
  BandStars stars_;
};

}  // namespace

Result<BandStars> band_stars_in_parts(std::span<const BandedSource> layers, uint32_t ranks_at_once,
                                      const Verify& verify, const ClusterOptions& options) {
  return Parts(layers, ranks_at_once, verify, options).run();
}

}  // namespace neardup::cluster

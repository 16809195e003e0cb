#include "neardup/explain/bits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "neardup/fingerprint/value.h"

namespace neardup::explain {
namespace {

using recipe::ExplainedFeature;
using recipe::ExplainedFingerprint;

// How far the row pushes the bit from A's value to B's; negative: it holds it back.
double push_of(const FeatureRow& row, int bit, bool towards_one) {
  const double change = (row.weights[1] - row.weights[0]) * vote_of(row.hash, bit);
  return towards_one ? change : -change;
}

// Adds each row's part in the push of one bit to bits[row].
void add_parts(const std::vector<FeatureRow>& rows, int bit, bool towards_one, std::vector<double>& bits) {
  double all = 0;
  for (const FeatureRow& row : rows) all += std::max(0.0, push_of(row, bit, towards_one));
  for (size_t i = 0; i < rows.size() && all > 0; ++i)
    bits[i] += std::max(0.0, push_of(rows[i], bit, towards_one)) / all;
}

std::vector<Mover> movers_of(std::vector<FeatureRow> rows, const std::vector<double>& bits) {
  std::vector<Mover> movers;
  for (size_t i = 0; i < rows.size(); ++i)
    if (bits[i] > 0) movers.push_back({std::move(rows[i]), bits[i]});
  std::stable_sort(movers.begin(), movers.end(), [](const Mover& x, const Mover& y) { return x.bits > y.bits; });
  return movers;
}

void keep_top(std::vector<BitShare>& shares, const BitShare& share, size_t top) {
  if (shares.size() < top) shares.push_back(share);  // features come heaviest first
}

}  // namespace

std::vector<FeatureRow> merge_features(const std::vector<const ExplainedFingerprint*>& fingerprints) {
  std::map<uint64_t, FeatureRow> by_hash;
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    for (const ExplainedFeature& feature : fingerprints[i]->features) {
      FeatureRow& row = by_hash[feature.hash];
      if (row.text.empty()) row.text = feature.text, row.begin = feature.begin, row.hash = feature.hash;
      row.weights[i] = feature.weight;
      row.counts[i] = feature.count;
    }
  }
  std::vector<FeatureRow> rows;
  for (auto& [hash, row] : by_hash) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(), [](const FeatureRow& x, const FeatureRow& y) {
    const double x_weight = std::max(x.weights[0], x.weights[1]);
    const double y_weight = std::max(y.weights[0], y.weights[1]);
    return x_weight != y_weight ? x_weight > y_weight : x.begin < y.begin;
  });
  return rows;
}

BitVotes explain_bit(const ExplainedFingerprint& explained_fingerprint, int bit, size_t top) {
  const double all = std::accumulate(explained_fingerprint.features.begin(), explained_fingerprint.features.end(), 0.0,
                                     [](double sum, const ExplainedFeature& feature) { return sum + feature.weight; });
  BitVotes votes;
  for (const ExplainedFeature& feature : explained_fingerprint.features) {
    const BitShare share{&feature, all > 0 ? feature.weight / all : 0};
    const bool is_pro = vote_of(feature.hash, bit) > 0;
    (is_pro ? votes.pro : votes.contra) += feature.weight;
    keep_top(is_pro ? votes.top_pro : votes.top_contra, share, top);
  }
  return votes;
}

std::vector<Mover> find_movers(const ExplainedFingerprint& a, const ExplainedFingerprint& b) {
  std::vector<FeatureRow> rows = merge_features({&a, &b});
  std::vector<double> bits(rows.size(), 0);
  for (int bit = 0; bit < fingerprint::kNumBits; ++bit) {
    if (((a.fingerprint ^ b.fingerprint) >> bit & 1) == 0) continue;
    add_parts(rows, bit, (b.fingerprint >> bit & 1) != 0, bits);
  }
  return movers_of(std::move(rows), bits);
}

std::vector<Mover> find_movers_of_bit(const ExplainedFingerprint& a, const ExplainedFingerprint& b, int bit) {
  std::vector<FeatureRow> rows = merge_features({&a, &b});
  std::vector<double> bits(rows.size(), 0);
  add_parts(rows, bit, (b.fingerprint >> bit & 1) != 0, bits);
  return movers_of(std::move(rows), bits);
}

}  // namespace neardup::explain

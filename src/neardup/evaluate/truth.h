// What the labels say about pairs of documents, asked by groups of equal documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/evaluate/rand_index.h"

namespace neardup::evaluate {

/// A pair of documents and what a label says of it. `line`: where it says so, for messages.
struct LabelledPair {
  uint32_t a = 0;
  uint32_t b = 0;
  bool same = true;
  uint64_t line = 0;
  uint8_t grade = 0;     // of judgements
  uint16_t stratum = 0;  // which part of a sample
  double weight = 1;
};

/// A judgement, as a sample knows it. `place`: of its groups, see Truth::place().
struct JudgedPair {
  uint32_t place = 0;
  uint16_t stratum = 0;
  uint8_t grade = 0;
  bool same = true;
  double weight = 1;
};

/// How many pairs of documents are duplicates by the labels, and how many are not.
struct PairCount {
  uint64_t same = 0;
  uint64_t different = 0;
  bool operator==(const PairCount&) const = default;
};

/// Answers for groups (documents with one text), so that a thousand copies are one question.
/// Threads: const members from many at once.
class Truth {
 public:
  /// Documents are duplicates where they have the same label; one without (kNoLabel) is of nobody's. Group of document
  /// i is group_of[i], below `num_groups`.
  [[nodiscard]] static Truth from_clusters(std::vector<uint32_t> labels, std::span<const uint32_t> group_of,
                                           uint32_t num_groups);
  /// `is_judged`: pairs that are not listed count for nothing; else they are no duplicates.
  /// Errors: kInvalidArgument where a pair is listed twice and differently, naming the lines.
  [[nodiscard]] static Result<Truth> from_pairs(std::vector<LabelledPair> pairs, bool is_judged,
                                                std::span<const uint32_t> group_of, uint32_t num_groups);

  /// Returns the pairs of one document of `g` with one of `h`; of two different ones of `g` where g == h.
  [[nodiscard]] PairCount between(uint32_t g, uint32_t h) const;

  /// Returns the number of the two groups among those that listed pairs name, below num_places(); kNoPlace where none
  /// does.
  [[nodiscard]] uint32_t place(uint32_t g, uint32_t h) const;
  static constexpr uint32_t kNoPlace = ~uint32_t{0};
  [[nodiscard]] size_t num_places() const { return listed_.size(); }
  /// Returns the judgements, by documents; nothing where the labels are no judgements.
  [[nodiscard]] std::span<const JudgedPair> judged() const { return judged_; }

  /// All pairs that the labels call duplicates; all that they call none (of judged labels alone).
  [[nodiscard]] uint64_t num_same() const { return num_same_; }
  [[nodiscard]] uint64_t num_different() const { return num_different_; }
  [[nodiscard]] uint64_t num_labelled() const { return num_labelled_; }
  [[nodiscard]] bool is_judged() const { return is_judged_; }
  /// Returns the cluster of each document, kNoLabel where it stands alone: the labels themselves, or what the pairs
  /// connect.
  [[nodiscard]] std::span<const uint32_t> labels() const { return labels_; }
  /// Returns the number of the cluster of each document, by the first document of each; one without a label is a
  /// cluster of its own.
  [[nodiscard]] std::vector<uint32_t> clusters() const;
  /// Returns the duplicates that the labels name in each of clusters(). Requires: the labels are no judgements.
  [[nodiscard]] std::vector<uint64_t> same_of_clusters(std::span<const uint32_t> clusters) const;

 private:
  struct Counted {        // pairs between two groups
    uint64_t groups = 0;  // the lower one << 32 | the other
    PairCount count;
  };
  void count_groups(std::span<const uint32_t> group_of, uint32_t num_groups);
  void judge(std::span<const LabelledPair> pairs, std::span<const uint32_t> group_of);
  void connect_labels(std::span<const LabelledPair> pairs, uint32_t num_documents);
  [[nodiscard]] uint64_t same_labels(uint32_t g, uint32_t h) const;
  [[nodiscard]] PairCount listed(uint32_t g, uint32_t h) const;
  [[nodiscard]] std::span<const uint32_t> labels_of(uint32_t group) const;

  bool is_judged_ = false;
  bool is_listed_ = false;  // by pairs, not by clusters
  uint64_t num_same_ = 0, num_different_ = 0, num_labelled_ = 0;
  std::vector<uint32_t> labels_;
  std::vector<uint32_t> first_;           // of group g in grouped_labels_
  std::vector<uint32_t> grouped_labels_;  // of the documents of each group, ascending
  std::vector<Counted> listed_;           // by groups
  std::vector<JudgedPair> judged_;
};

}  // namespace neardup::evaluate

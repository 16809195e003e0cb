// Shares are fractions of the whole, in sixteenths. Where parts do not depend on one another they are held one after
// the other, so that the shares of all uses are far more than the whole; those of each phase are not, which
// tests/unit/engine/memory_plan_test.cc sums up.
#include "neardup/engine/memory_plan.h"

#include <algorithm>
#include <iterator>

namespace neardup::engine {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kProgramBytes = kSmallestMemory / 2;
constexpr uint64_t kDocumentBytes = 36;
constexpr uint64_t kStageBytes = 16 * kMiB;       // whatever the number of documents
constexpr uint64_t kLeastBatchBytes = 16 * kMiB;  // two threads
constexpr uint64_t kLeastShare = 4 * kMiB;        // of what cannot do without

struct Fraction {
  MemoryUse use;
  std::string_view name;
  uint64_t sixteenths;  // 0: it is no fraction of the whole
};

// In the order of MemoryUse.
constexpr Fraction kFractions[] = {
    {MemoryUse::kProgram, "program", 0},
    {MemoryUse::kDictionary, "dictionary", 4},
    {MemoryUse::kLongRecords, "long_records", 0},
    {MemoryUse::kUsualRecords, "usual_records", 0},
    {MemoryUse::kLongBatches, "long_batches", 0},
    {MemoryUse::kBatches, "batches", 0},
    {MemoryUse::kDocuments, "documents", 0},
    {MemoryUse::kFamilies, "families", 0},
    {MemoryUse::kCommonness, "commonness", 2},
    {MemoryUse::kCommonnessQueues, "commonness_queues", 1},
    {MemoryUse::kCountedTexts, "counted_texts", 2},
    {MemoryUse::kGivenCommonness, "given_commonness", 4},
    {MemoryUse::kHeldCommonness, "held_commonness", 0},
    {MemoryUse::kSurveyedTexts, "surveyed_texts", 4},
    {MemoryUse::kShortTexts, "short_texts", 0},
    {MemoryUse::kJoin, "join", 0},
    {MemoryUse::kPassages, "passages", 0},
    {MemoryUse::kCandidates, "candidates", 0},
    {MemoryUse::kNgramSets, "ngram_sets", 0},
    {MemoryUse::kLongTexts, "long_texts", 0},
    {MemoryUse::kStars, "stars", 0},
    {MemoryUse::kKeptFiles, "kept_files", 0},
    {MemoryUse::kGroupValues, "group_values", 8},
    {MemoryUse::kBandLevels, "band_levels", 4},
    {MemoryUse::kComparedSets, "compared_sets", 2},
    {MemoryUse::kComparedLongTexts, "compared_long_texts", 2},
    {MemoryUse::kShortCandidates, "short_candidates", 1},
    {MemoryUse::kEvaluatedPairs, "evaluated_pairs", 4},
    {MemoryUse::kEvaluatedJoin, "evaluated_join", 6},
    {MemoryUse::kCountTables, "count_tables", 4},
    {MemoryUse::kListedPairs, "listed_pairs", 8},
    {MemoryUse::kPairsJoin, "pairs_join", 8},
    {MemoryUse::kColumnPairs, "column_pairs", 2},
    {MemoryUse::kColumnJoin, "column_join", 14},
};
static_assert(std::ranges::is_sorted(kFractions, {}, &Fraction::use) &&
              std::size(kFractions) == static_cast<size_t>(MemoryUse::kColumnJoin) + 1);

const Fraction& fraction_of(MemoryUse use) { return kFractions[static_cast<size_t>(use)]; }

// Without overflow: ~0 is no limit.
uint64_t sixteenths(uint64_t bytes, uint64_t count) { return bytes / 16 * count + bytes % 16 * count / 16; }

uint64_t what_remains(uint64_t a, uint64_t b) { return a - std::min(a, b); }

}  // namespace

std::string_view name_of(MemoryUse use) { return fraction_of(use).name; }

uint64_t MemoryPlan::bytes_of(MemoryUse use) const {
  const uint64_t fraction = fraction_of(use).sixteenths;
  if (use == MemoryUse::kDictionary && !needs_.has_dictionary) return 0;
  if (fraction > 0) return sixteenths(needs_.memory_bytes, fraction);
  return use <= MemoryUse::kBatches ? of_reading(use) : of_matching(use);
}

// Of what the program itself leaves, five eighths are for long records: what is rejected follows from that. A
// dictionary and the rest must do with the others, which are smaller where there is little.
uint64_t MemoryPlan::of_reading(MemoryUse use) const {
  const uint64_t memory = std::max(needs_.memory_bytes, kSmallestMemory);
  const uint64_t long_records = (memory - kProgramBytes) / 8 * 5;
  const uint64_t rest = what_remains(memory, kProgramBytes + bytes_of(MemoryUse::kDictionary) + long_records);
  const uint64_t spare = needs_.has_dictionary ? what_remains(rest, kLeastBatchBytes) : rest;
  const uint64_t usual = std::min(memory / 8, spare / 3 * 2), long_batches = std::min(memory / 64, spare / 12);
  switch (use) {
    case MemoryUse::kProgram:
      return kProgramBytes;
    case MemoryUse::kLongRecords:
      return long_records;
    case MemoryUse::kUsualRecords:
      return usual;
    case MemoryUse::kLongBatches:
      return long_batches;
    default:
      return std::min(memory / 2, std::max(rest - usual - long_batches, kLeastBatchBytes));
  }
}

uint64_t MemoryPlan::memory_for_long_records(uint64_t long_bytes) { return kProgramBytes + (long_bytes + 4) / 5 * 8; }

// So many sixteenths of the whole, or of an eighth less than what is free where documents and counts hold more than
// that eighth.
uint64_t MemoryPlan::part_of_free(uint64_t count) const {
  return std::min(sixteenths(needs_.memory_bytes, count), free_bytes() / 14 * count);
}

uint64_t MemoryPlan::free_bytes() const {
  return what_remains(needs_.memory_bytes, bytes_of(MemoryUse::kDocuments) + needs_.commonness_bytes);
}

uint64_t MemoryPlan::of_matching(MemoryUse use) const {
  switch (use) {
    case MemoryUse::kDocuments:
      return kDocumentBytes * needs_.num_documents + kStageBytes;
    case MemoryUse::kHeldCommonness:
      return needs_.commonness_bytes;
    case MemoryUse::kFamilies:
    case MemoryUse::kKeptFiles:
      return std::min(needs_.memory_bytes / 2, free_bytes());
    case MemoryUse::kShortTexts:
      return part_of_free(1);
    case MemoryUse::kJoin:
      return std::max(part_of_free(8), kLeastShare);
    case MemoryUse::kPassages:
    case MemoryUse::kCandidates:
      return std::max(part_of_free(4), kLeastShare);
    case MemoryUse::kNgramSets:
      return std::clamp(part_of_free(1), kLeastShare, kMostNgramSets);
    case MemoryUse::kLongTexts:
      return std::max(part_of_free(2), kLeastShare);
    default: {  // kStars
      const uint64_t beside_documents =
          what_remains(needs_.memory_bytes / 8 * 5, bytes_of(MemoryUse::kDocuments) +
                                                        what_remains(needs_.commonness_bytes, needs_.memory_bytes / 8));
      return std::max({beside_documents, part_of_free(8), kLeastShare});
    }
  }
}

const std::vector<MemoryPhase>& MemoryPlan::reading() {
  using enum MemoryUse;
  static const std::vector<MemoryPhase> phases = {
      {"read", {kProgram, kDictionary, kLongRecords, kUsualRecords, kLongBatches, kBatches}},
  };
  return phases;
}

const std::vector<MemoryPhase>& MemoryPlan::matching() {
  using enum MemoryUse;
  static const std::vector<MemoryPhase> phases = {
      {"families", {kDocuments, kFamilies}},
      {"commonness", {kDocuments, kCommonness, kCommonnessQueues, kCountedTexts}},
      {"join", {kDocuments, kHeldCommonness, kShortTexts, kJoin, kCandidates}},
      {"verify", {kDocuments, kHeldCommonness, kShortTexts, kCandidates, kNgramSets, kLongTexts}},
      {"stars", {kDocuments, kHeldCommonness, kShortTexts, kStars, kNgramSets, kLongTexts}},
      {"components", {kDocuments, kHeldCommonness, kShortTexts, kJoin, kNgramSets, kLongTexts}},
      {"passages", {kDocuments, kHeldCommonness, kShortTexts, kPassages, kCandidates, kNgramSets, kLongTexts}},
      {"write", {kDocuments, kHeldCommonness, kKeptFiles}},
  };
  return phases;
}

const std::vector<MemoryPhase>& MemoryPlan::pairing() {
  using enum MemoryUse;
  static const std::vector<MemoryPhase> phases = {
      {"in_memory", {kListedPairs, kPairsJoin}},
      {"on_disk", {kColumnPairs, kColumnJoin}},
  };
  return phases;
}

const std::vector<MemoryPhase>& MemoryPlan::evaluating() {
  using enum MemoryUse;
  static const std::vector<MemoryPhase> phases = {
      {"join", {kBandLevels, kShortTexts, kShortCandidates, kEvaluatedPairs, kEvaluatedJoin}},
      {"compare", {kBandLevels, kShortTexts, kShortCandidates, kEvaluatedPairs, kComparedSets, kComparedLongTexts}},
  };
  return phases;
}

void MemoryPlan::report(const std::vector<MemoryPhase>& phases, Progress* progress) const {
  if (progress == nullptr) return;
  std::vector<MemoryShares> shares;
  for (const MemoryPhase& phase : phases) {
    MemoryShares& of_phase = shares.emplace_back(MemoryShares{phase.name, {}});
    for (const MemoryUse use : phase.uses) of_phase.shares.push_back({name_of(use), bytes_of(use)});
  }
  progress->plan_memory(needs_.memory_bytes, shares);
}

}  // namespace neardup::engine

// All that a report shows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/cluster/candidate.h"
#include "neardup/diff/diff.h"
#include "neardup/report/exploration.h"

namespace neardup::report {

/// The distance of pairs of which it is not known.
inline constexpr int kUnknownDistance = static_cast<int>(cluster::kUnknownDistance);

/// How many documents went where, of one input file or one value of a field.
struct Tally {
  std::string name;
  // read = kept + exact + near + contained + rejected
  uint64_t read = 0, kept = 0, exact = 0, near = 0, contained = 0, rejected = 0;
  uint64_t bytes_read = 0, bytes_removed = 0;  // of text
};

struct ClusterExample {
  uint64_t size = 0;    // the kept one included
  std::string cluster;  // its id
  std::string kept_id;
  std::string kept_excerpt;             // first characters of its text
  std::vector<std::string> member_ids;  // the first few removed ones
};

struct PairExample {
  std::string kept_id, removed_id;
  std::string kept_text, removed_text;  // the beginnings, a few thousand bytes
  std::string kind;                     // "exact", "near" or "contained"
  int distance = 0;                     // in bits, or in values of the signatures; kUnknownDistance: not known
  double similarity = 0;
  bool kept_is_cut = false, removed_is_cut = false;  // the text goes on behind what is here
  std::string command = {};                          // that says why; empty: none
};

/// From which similarity on texts were near-duplicates.
struct Threshold {
  double similarity = 0;
  std::string of;  // "texts of few words"; empty: all others
};

struct Stage {
  std::string name;
  double seconds = 0;
  uint64_t bytes = 0, items = 0;
};

/// The store that inputs were reduced against.
struct StoreUse {
  std::string name;
  bool takes_kept = false;                // what is kept becomes part of it
  uint64_t num_documents = 0;             // that it had before
  uint64_t num_repeated = 0;              // of these: some input repeats them, or is them
  uint64_t num_added = 0, num_known = 0;  // of what is kept: came to it; was there with the same id and text
  uint64_t num_replaced = 0;              // of those added: took the place of another text with the same id
  bool lacks_texts = false;               // it keeps texts, and has none of those that were added
};

/// All that the report shows. The same figures go to JSON and HTML. A report without recipe_id knows only its total and
/// the figures of the run: of one shard, or of a run that was complete already.
struct Report {
  std::string version;  // of neardup
  std::string command;  // as typed
  std::string started;  // ISO 8601, UTC
  std::string recipe_json, recipe_id;
  int distance = 0;    // bits, of SimHash
  int num_values = 0;  // of a MinHash signature; 0: the fingerprints are SimHash
  int num_bands = 0, band_rows = 0;
  std::string verify, keep, cluster, mode;
  bool has_files = true;        // the results are in files, beside the page; else with a program
  Tally total;                  // name "total"; references not counted
  uint64_t num_references = 0;  // of files
  std::optional<StoreUse> store = {};
  uint64_t num_clusters = 0;  // with at least one removed document
  uint64_t num_candidates = 0, num_verified = 0, num_similar = 0;
  uint64_t num_settled = 0;              // documents whose signature met no other one in any band
  uint64_t num_filtered = 0;             // candidates left out because of their field or their sizes
  std::string within_key;                // only documents with equal values of this field were compared; empty: all
  std::optional<double> contained = {};  // documents went of which others hold this share; none: nobody looked
  uint64_t contained_candidates = 0, contained_verified = 0;  // pairs with enough passages in common; of these compared
  uint64_t common_passages = 0;                               // that too many documents have to tell anything
  std::optional<double> size_within = {};  // only texts whose sizes differ by at most this share of the larger
  uint64_t num_short = 0;                  // documents that were compared by characters with each other
  uint64_t num_short_removed = 0;          // as near-duplicates of another such one
  uint64_t num_near_copies = 0;            // near-duplicates whose text is equal to that of another one of them
  uint64_t num_too_short = 0;              // documents below the minimum of tokens: exact duplicates only
  uint64_t num_duplicate_ids = 0;          // documents whose id an earlier one has
  std::vector<std::string> duplicate_id_examples;
  std::vector<Tally> by_input;  // largest number of removed documents first
  std::string group_key;
  std::vector<Tally> by_group;
  std::array<uint64_t, 17> distance_histogram{};  // near duplicates by distance 0..16, of SimHash
  // Of MinHash: near duplicates by the share of the values of their signatures that differ, steps of a sixteenth;
  // without those that were compared by characters.
  std::array<uint64_t, 16> values_histogram{};
  std::array<uint64_t, 20> similarity_histogram{};           // near duplicates by similarity, steps of .05
  std::vector<Threshold> thresholds;                         // of the rule, ascending; none: it asks for nothing
  double just_above = 0;                                     // how far above the lowest is just above it
  uint64_t num_just_above = 0;                               // near-duplicates that are
  std::vector<std::pair<uint64_t, uint64_t>> cluster_sizes;  // (size with the kept one, how many), ascending
  std::vector<ClusterExample> largest_clusters;
  std::vector<PairExample> examples;
  Exploration exploration = {};
  diff::FoldWord fold_word = {};                             // what words of the examples are compared as
  std::vector<std::pair<std::string, uint64_t>> rejections;  // (reason, how many)
  std::string rejected_example;  // the first of the most frequent reason, as "FILE:LINE: MESSAGE"
  std::vector<std::string> warnings;
  std::vector<Stage> stages;
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;
  int num_threads = 0;
};

}  // namespace neardup::report

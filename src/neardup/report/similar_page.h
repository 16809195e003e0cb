// The page of files that share passages (docs/similar.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "neardup/report/exploration.h"
#include "neardup/report/passage_texts.h"

namespace neardup::report {

/// A file of a pair.
struct SimilarFile {
  std::string name;
  uint64_t size_bytes = 0;
  bool is_reference = false;
};

/// How shares are known.
enum class ShareBasis : uint32_t { kEstimate, kExact, kEqual };

/// Two files, by their index, and how much of each is in the other, 0 to 1.
struct SimilarFilePair {
  uint32_t a = 0, b = 0;
  float a_in_b = 0, b_in_a = 0;
  ShareBasis basis = ShareBasis::kEstimate;
};

/// Files that were not compared, by reason.
struct SkippedGroup {
  std::string reason;
  uint64_t count = 0;
  std::string example;
};

/// What a page tells of a search. Pairs for which there is no room are counted.
struct SimilarReport {
  uint64_t num_read = 0, read_bytes = 0;       // files
  uint64_t num_pairs = 0, num_equal = 0;       // all pairs; of them equal files
  uint64_t num_groups = 0, largest_group = 0;  // files that pairs connect
  uint64_t num_skipped = 0;                    // files
  std::vector<SkippedGroup> skipped;           // why
  uint64_t num_crowds = 0, crowd_limit = 0;    // passages in so many files that their pairs alone are not listed
  double threshold = 0;                        // of the search
  bool has_references = false;                 // inputs were compared with these
  std::vector<std::string> settings;           // what else was asked, in words
  std::vector<std::string> pair_flags;         // of them those that a run over one pair alone needs, too
  std::vector<SimilarFile> files;              // of `pairs`
  std::vector<SimilarFilePair> pairs;          // the most similar first, equal files before all others
  std::vector<FileText> texts;                 // of `compared`
  std::vector<PairText> compared;              // some of the pairs
  uint64_t num_unread = 0;                     // pairs whose files could not be read again, or had changed
  std::array<uint64_t, kSimilaritySteps + 1> left_out{};  // pairs without room by hundredths, but for equal files
  uint64_t left_out_equal = 0;
};

/// How many pairs go into a page.
struct PairRoom {
  uint64_t equal = 0, other = 0;
};

inline constexpr uint64_t kMostPagePairs = 50000;

/// Returns how many of the pairs of equal files, and of the others, have room: all, or `most` in all, of which equal
/// files take no more than half as long as there are others.
[[nodiscard]] PairRoom room_for_pairs(uint64_t num_equal, uint64_t num_other, uint64_t most = kMostPagePairs);

/// Returns one HTML page, whole without network: figures; a slider for the threshold with matrix, graph and table of
/// the pairs, each of which opens side by side with its passages marked; without scripts a table of the first pairs.
/// All text of the report may be hostile or broken. The same report gives the same page.
[[nodiscard]] std::string similar_html(const SimilarReport& report);

/// The script and style that work on it, which the build makes of web/similar; empty where the program was built
/// without (NEARDUP_WEB=OFF).
[[nodiscard]] ExplorationAssets similar_assets();

}  // namespace neardup::report

// Deduplication of what is there as a whole: files, or texts in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/api/matching.h"
#include "neardup/base/context.h"

namespace neardup {

/// Files that become fewer. The names and defaults are those of `neardup dedup`.
struct DedupFiles {
  std::vector<std::string> inputs = {};      // files, folders, patterns; whatever neardup dedup reads
  std::vector<std::string> references = {};  // read only: inputs are reduced against them; one may be a store
  std::string into = {};    // a store of texts: inputs are reduced against it, and what is kept becomes part of it
  std::string output = {};  // folder of the results; created
  Matching matching = {};
  std::string text_key = "text";  // the field or column with the text,
  std::string id_key = "id";      // and that with the id
  std::string table = {};         // how CSV and TSV are written: "separator=semicolon", "quotes=none,escape=backslash"
  std::string keep = "first";     // or "longest", "max:FIELD", "priority:FIELD=a,b": which document of a cluster stays
  std::string cluster = "star";  // each that goes is similar to the one that stays; "components": to any of its cluster
  double contained = 0;          // .5 to 1: documents of which a longer one holds this share go, too; 0: they stay
  std::string within_key = {};   // only documents with equal values of this field are compared, such as a language
  std::optional<double> size_within = {};  // texts whose sizes differ by a larger share of the larger are no duplicates
  std::string group_key = {};              // the report counts for each value of this field; empty: not
  bool overwrite = false;                  // replace the results of another run in `output`
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;  // 0: one for each core
};

/// How many documents went where: read = kept + exact + near + contained + rejected.
struct DedupCounts {
  uint64_t read = 0, kept = 0, exact = 0, near = 0, contained = 0, rejected = 0;
  uint64_t clusters = 0;                   // with at least one removed document
  uint64_t added = 0;                      // of those kept: came to the store of files.into
  std::vector<std::string> warnings = {};  // signs that the run did not do what was meant
};

/// Writes into files.output what `neardup dedup` writes: kept/, duplicates.jsonl, clusters.jsonl, rejected.jsonl,
/// report.json, report.html. The same bytes for any number of threads; memory is bounded, larger work goes through the
/// disk. `context` shows progress and may stop the run. A store that is there gives recipe and rule where `matching` is
/// as it was made. Errors: kInvalidArgument, kNotFound (an input), kMismatch (the folder holds another run, the store
/// another recipe or rule), kUnsupported, kMemory, kDiskFull, kIo (also where another process has the store open),
/// kCancelled.
[[nodiscard]] Result<DedupCounts> dedup_files(const DedupFiles& files, const Context& context = {});

/// What became of one text.
struct Fate {
  /// kRejected: longer than 1 GiB, or than memory_bytes allows. kContained: the kept one is longer, and holds it.
  enum class Kind : uint8_t { kKept, kExact, kNear, kRejected, kContained };
  Kind kind = Kind::kKept;
  size_t kept = 0;        // number of the text that is kept for it; its own where it is kept itself, or rejected
  double similarity = 1;  // to that one; of kContained the share of its tokens that that one holds
  int distance = 0;       // of signatures in values, of fingerprints in bits; -1: not known
  [[nodiscard]] bool is_kept() const { return kind == Kind::kKept; }
};

/// What deduplicating texts in memory may take.
struct DedupTexts {
  Matching matching = {};
  std::string keep = "first";              // or "longest"
  std::string cluster = "star";            // as in DedupFiles
  double contained = 0;                    // as in DedupFiles
  std::optional<double> size_within = {};  // as there
  std::string work_folder = "/tmp";
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;  // 0: one for each core
};

/// Returns the fate of each of `texts`: that which dedup_files() gives the same documents in the same order. What does
/// not fit in memory_bytes goes to a folder below `work_folder` that is gone at the end. Errors: kInvalidArgument,
/// kMemory, kIo, kDiskFull, kCancelled. Threads: any number of calls.
[[nodiscard]] Result<std::vector<Fate>> dedup_texts(std::span<const std::string_view> texts,
                                                    const DedupTexts& options = {}, const Context& context = {});

/// A type that lasts beyond the element that gave it: a reference, or a view.
template <class Type>
inline constexpr bool kLasts = std::is_lvalue_reference_v<Type> || std::is_same_v<std::string_view, Type>;

/// The same of any range that can be read through a const reference, whose elements are texts or give one:
/// dedup_range(rows, {}, &Row::body). The texts outlive the call: elements that are made as they are read (of a
/// transform view that returns strings) are refused by the compiler; put them in a vector.
template <std::ranges::forward_range Range, class Projection = std::identity>
[[nodiscard]] Result<std::vector<Fate>> dedup_range(const Range& range, const DedupTexts& options = {},
                                                    Projection text_of = {}, const Context& context = {}) {
  using Element = std::ranges::range_reference_t<const Range>;
  using Text = std::invoke_result_t<Projection, const std::remove_reference_t<Element>&>;
  static_assert(std::is_convertible_v<Text, std::string_view>,
                "the elements of the range, or what the projection gives, are to be texts");
  static_assert(kLasts<Element> && (kLasts<Text> || kLasts<std::remove_cvref_t<Text>>),
                "the texts are to outlive the call: give references or views");
  std::vector<std::string_view> texts = {};
  for (const auto& element : range) texts.emplace_back(std::invoke(text_of, element));
  return dedup_texts(texts, options, context);
}

}  // namespace neardup

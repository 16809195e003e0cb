#include "neardup/api/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "neardup/sif/shared_text.h"
#include "neardup/sif/similar.h"

namespace neardup {
namespace {

// Sets `out` to what `given` stands for.
template <class T>
Status set_word(const char* name, const std::string& given, std::initializer_list<std::pair<std::string_view, T>> words,
                T& out) {
  std::string known;
  for (const auto& [word, value] : words) {
    if (word == given) return out = value, Status{};
    known += known.empty() ? std::string(word) : ", " + std::string(word);
  }
  return fail(Code::kInvalidArgument, fmt::format("{} is one of {}, found '{}'", name, known, given));
}

Result<sif::SimilarOptions> sif_options(const std::vector<std::string>& paths, const SimilarFilesOptions& given,
                                        const Context& context) {
  sif::SimilarOptions options;
  options.inputs = paths;
  options.references = given.references;
  options.filter = {given.include, given.exclude, given.hidden, given.binary};
  options.index_folder = given.index;
  options.threshold = given.threshold;
  options.verify = given.verify;
  NEARDUP_TRY(set_word("fold", given.fold,
                       {{"space", sif::Fold::kSpace}, {"none", sif::Fold::kNone}, {"code", sif::Fold::kCode}},
                       options.fold));
  NEARDUP_TRY(set_word("common", given.common,
                       {{"count", sif::CommonPassages::kCount},
                        {"weigh", sif::CommonPassages::kWeigh},
                        {"ignore", sif::CommonPassages::kIgnore}},
                       options.common));
  NEARDUP_TRY(set_word("select", given.select,
                       {{"winnow", sif::SelectionKind::kWinnow},
                        {"sample", sif::SelectionKind::kSample},
                        {"anchors", sif::SelectionKind::kAnchors}},
                       options.selection.kind));
  if (given.verify && options.common != sif::CommonPassages::kCount)
    return fail(Code::kInvalidArgument, "verify counts all substrings alike, common does not; leave out one of them");
  options.common_files = given.common_files;
  options.selection.substring_bytes = given.substring;
  options.selection.window = given.window;
  options.selection.zero_bits = given.zero_bits;
  options.selection.anchors = given.anchor;
  options.memory_bytes = given.memory_bytes;
  options.num_threads = given.num_threads;
  options.context = context;
  return options;
}

FileRange file_range(const sif::Range& range) { return {range.begin, range.end, range.first_line, range.last_line}; }

// Equal files have none.
Status set_passages(const sif::SimilarFiles& found, const sif::SimilarPair& pair, const sif::SimilarOptions& options,
                    uint64_t most, SimilarFilePair& out) {
  if (most == 0 || pair.is_equal) return {};
  NEARDUP_TRY(options.context.check_cancel());
  NEARDUP_ASSIGN(sif::PassagesOrReason shared, sif::passages_or_reason(found, pair, options, {.most = most}));
  for (const sif::SharedPassage& passage : shared.passages)
    out.passages.push_back({file_range(passage.a), file_range(passage.b)});
  out.passages_reason = std::move(shared.reason);
  return {};
}

}  // namespace

Result<SimilarFilesResult> similar_files(const std::vector<std::string>& paths, const SimilarFilesOptions& given,
                                         const Context& context) {
  NEARDUP_ASSIGN(const sif::SimilarOptions options, sif_options(paths, given, context));
  NEARDUP_ASSIGN(const sif::SimilarFiles found, sif::find_similar(options));
  SimilarFilesResult result;
  for (const sif::SimilarPair& pair : found.pairs) {
    const sif::File &a = found.files[pair.a], &b = found.files[pair.b];
    result.pairs.push_back({a.path, b.path, static_cast<double>(pair.a_in_b), static_cast<double>(pair.b_in_a),
                            pair.is_equal, pair.is_exact, a.size_bytes, b.size_bytes});
    NEARDUP_TRY(set_passages(found, pair, options, given.show, result.pairs.back()));
  }
  for (const auto& group : sif::groups_of(found.pairs, found.files.size())) {
    auto& names = result.groups.emplace_back();
    for (const uint32_t file : group) names.push_back(found.files[file].path);
  }
  for (const sif::SkippedFile& skipped : found.skipped) result.skipped.push_back({skipped.path, skipped.reason});
  result.num_files = found.num_read;
  result.num_reused = found.num_reused;
  result.read_bytes = found.read_bytes;
  return result;
}

}  // namespace neardup

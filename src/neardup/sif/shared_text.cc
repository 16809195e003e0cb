#include "neardup/sif/shared_text.h"

#include <algorithm>
#include <utility>

#include "neardup/sif/file_bytes.h"
#include "neardup/sif/file_text.h"
#include "neardup/sif/window_set.h"

namespace neardup::sif {
namespace {

// A file, what of it is compared, and where its lines end.
struct ShownText {
  std::string bytes, folded;
  std::vector<Origin> origins;  // of the bytes of `folded`
  bool is_folded = false;
  std::vector<uint64_t> line_ends;

  [[nodiscard]] std::string_view text() const { return is_folded ? folded : bytes; }
  // Of bytes [begin, begin + size) of text().
  [[nodiscard]] Range range(uint64_t begin, uint64_t size) const {
    const uint64_t first = is_folded ? origins[begin].begin : begin;
    const uint64_t end = is_folded ? origins[begin + size - 1].end : begin + size;
    return {first, end, line_of(first), line_of(end - 1)};
  }
  [[nodiscard]] uint64_t line_of(uint64_t at) const {
    return static_cast<uint64_t>(std::lower_bound(line_ends.begin(), line_ends.end(), at) - line_ends.begin()) + 1;
  }
};

Result<ShownText> load_shown(const File& file, const SimilarOptions& options) {
  ShownText shown;
  NEARDUP_TRY(load_unchanged(file, std::min<uint64_t>(options.memory_bytes / 64, uint64_t{1} << 30), shown.bytes));
  shown.is_folded = fold_text(shown.bytes, file.language, options.fold, shown.folded, &shown.origins);
  for (size_t i = 0; i < shown.bytes.size(); ++i)
    if (shown.bytes[i] == '\n') shown.line_ends.push_back(i);
  return shown;
}

}  // namespace

Result<std::vector<SharedPassage>> shared_passages(const SimilarFiles& files, const SimilarPair& pair,
                                                   const SimilarOptions& options, const PassageDemand& demand) {
  NEARDUP_ASSIGN(const ShownText a, load_shown(files.files[pair.a], options));
  NEARDUP_ASSIGN(const ShownText b, load_shown(files.files[pair.b], options));
  WindowSet windows;
  WindowScratch scratch;
  windows.assign(a.text(), options.selection.substring_bytes, scratch);
  std::vector<SharedPassage> passages;
  for (const Passage& passage : windows.passages(b.text(), scratch)) {
    SharedPassage& shared = passages.emplace_back();
    shared.a = a.range(passage.a, passage.size_bytes);
    shared.b = b.range(passage.b, passage.size_bytes);
  }
  std::stable_sort(passages.begin(), passages.end(), [](const SharedPassage& x, const SharedPassage& y) {
    return x.b.end - x.b.begin > y.b.end - y.b.begin;
  });
  // Of folded files passages may be many and lie in each other: texts are for those alone that are shown.
  if (passages.size() > demand.most) passages.resize(demand.most);
  for (SharedPassage& shared : passages) {
    if (!demand.texts) break;
    shared.text_a = a.bytes.substr(shared.a.begin, shared.a.end - shared.a.begin);
    shared.text_b = b.bytes.substr(shared.b.begin, shared.b.end - shared.b.begin);
  }
  return passages;
}

Result<PassagesOrReason> passages_or_reason(const SimilarFiles& files, const SimilarPair& pair,
                                            const SimilarOptions& options, const PassageDemand& demand) {
  auto passages = shared_passages(files, pair, options, demand);
  if (passages) return PassagesOrReason{std::move(*passages), {}};
  const Code code = passages.error().code;
  if (code == Code::kNotFound || code == Code::kIo || code == Code::kMemory)
    return PassagesOrReason{{}, std::move(passages).error().message};
  return tl::unexpected<Error>(std::move(passages).error());
}

}  // namespace neardup::sif

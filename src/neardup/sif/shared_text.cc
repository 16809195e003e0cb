#include "neardup/sif/shared_text.h"

#include <algorithm>

#include "neardup/sif/file_bytes.h"
#include "neardup/sif/window_set.h"

namespace neardup::sif {
namespace {

// A file, and where its lines end.
struct ShownText {
  std::string bytes;
  std::vector<uint64_t> line_ends;

  [[nodiscard]] Range range(uint64_t begin, uint64_t size) const {
    return {begin, begin + size, line_of(begin), line_of(begin + size - 1)};
  }
  [[nodiscard]] uint64_t line_of(uint64_t at) const {
    return static_cast<uint64_t>(std::lower_bound(line_ends.begin(), line_ends.end(), at) - line_ends.begin()) + 1;
  }
};

Result<ShownText> load_shown(const std::string& path, const SimilarOptions& options) {
  ShownText shown;
  NEARDUP_TRY(load_bytes(path, std::min<uint64_t>(options.memory_bytes / 64, uint64_t{1} << 30), shown.bytes));
  for (size_t i = 0; i < shown.bytes.size(); ++i)
    if (shown.bytes[i] == '\n') shown.line_ends.push_back(i);
  return shown;
}

}  // namespace

Result<std::vector<SharedPassage>> shared_passages(const SimilarFiles& files, const SimilarPair& pair,
                                                   const SimilarOptions& options) {
  NEARDUP_ASSIGN(const ShownText a, load_shown(files.files[pair.a].path, options));
  NEARDUP_ASSIGN(const ShownText b, load_shown(files.files[pair.b].path, options));
  WindowSet windows;
  LookupScratch scratch;
  windows.assign(a.bytes, options.selection.substring_bytes);
  std::vector<SharedPassage> passages;
  for (const Passage& passage : windows.passages(b.bytes, scratch)) {
    SharedPassage& shared = passages.emplace_back();
    shared.a = a.range(passage.a, passage.size_bytes);
    shared.b = b.range(passage.b, passage.size_bytes);
    shared.text_a = a.bytes.substr(shared.a.begin, shared.a.end - shared.a.begin);
    shared.text_b = b.bytes.substr(shared.b.begin, shared.b.end - shared.b.begin);
  }
  std::stable_sort(passages.begin(), passages.end(), [](const SharedPassage& x, const SharedPassage& y) {
    return x.b.end - x.b.begin > y.b.end - y.b.begin;
  });
  return passages;
}

}  // namespace neardup::sif

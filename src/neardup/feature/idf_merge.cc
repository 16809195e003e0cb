// Entries of a dictionary file ascend by hash, so files are merged as sorted runs: memory holds a cursor a file,
// however large they are. The head stands before the entries and holds their number and the median, so one walk counts
// and another writes. Sums stop at the greatest count, which gives the same in any order of inputs.
#include "neardup/feature/idf_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "neardup/base/disk/mapped_file.h"
#include "neardup/feature/idf_entries.h"

namespace neardup::feature {
namespace {

constexpr size_t kChunk = 1 << 14;  // entries between looks at the wish to stop

struct Source {
  MappedFile file;
  IdfView view;
};

/// Where a walk over one source stands.
struct Cursor {
  const IdfEntry* at;
  const IdfEntry* end;
};

/// The entries of all sources in ascending order, equal hashes added up. Walks anew at each construction.
class Walk {
 public:
  explicit Walk(const std::vector<Source>& sources) {
    for (const Source& source : sources) {
      const auto entries = source.view.entries;
      if (!entries.empty()) heap_.push_back({entries.data(), entries.data() + entries.size()});
    }
    std::make_heap(heap_.begin(), heap_.end(), &is_later);
  }

  /// Returns false at the end.
  bool next(IdfEntry& out) {
    if (heap_.empty()) return false;
    out = *heap_.front().at;
    advance();
    // What other files say of the same hash comes right behind.
    while (!heap_.empty() && heap_.front().at->hash() == out.hash()) {
      const uint32_t room = std::numeric_limits<uint32_t>::max() - out.num_documents;
      out.num_documents += std::min(room, heap_.front().at->num_documents);
      advance();
    }
    return true;
  }

 private:
  static bool is_later(const Cursor& a, const Cursor& b) { return a.at->hash() > b.at->hash(); }

  void advance() {
    std::pop_heap(heap_.begin(), heap_.end(), &is_later);
    Cursor& cursor = heap_.back();
    if (++cursor.at == cursor.end) {
      heap_.pop_back();
    } else {
      std::push_heap(heap_.begin(), heap_.end(), &is_later);
    }
  }

  std::vector<Cursor> heap_;
};

Status check_fits(const Source& source, const Source& first, const std::string& path, const std::string& first_path,
                  bool alone, const IdfMergeOptions& options) {
  if (source.view.head.tokens != first.view.head.tokens) {
    return fail(Code::kMismatch,
                fmt::format("'{}' and '{}' cannot be merged: they count different tokens, {} and {}; train both with "
                            "one recipe",
                            first_path, path, first.view.head.tokens, source.view.head.tokens));
  }
  const uint32_t left_out = source.view.head.min_documents;
  if (left_out > (alone ? options.min_documents : 1)) {
    return fail(Code::kUnsupported,
                fmt::format("'{}' has left out the tokens of fewer than {} documents, whose counts are lost; merge "
                            "whole dictionaries and leave rare tokens out in the last merge",
                            path, left_out));
  }
  return {};
}

Result<std::vector<Source>> open_all(std::span<const std::string> inputs, const IdfMergeOptions& options) {
  std::vector<Source> sources(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    NEARDUP_TRY(options.context.check_cancel());
    NEARDUP_ASSIGN(sources[i].file, MappedFile::open(inputs[i]));
    NEARDUP_ASSIGN(sources[i].view, view_idf(sources[i].file.bytes(), inputs[i]));
    NEARDUP_TRY(check_fits(sources[i], sources[0], inputs[i], inputs[0], inputs.size() == 1, options));
  }
  return sources;
}

Result<IdfHead> head_of(const std::vector<Source>& sources, const IdfMergeOptions& options) {
  DfHistogram histogram;
  IdfEntry entry;
  for (Walk walk(sources); walk.next(entry);) {
    histogram.add(entry.num_documents);
    if (histogram.num_tokens() % kChunk == 0) NEARDUP_TRY(options.context.check_cancel());
  }
  IdfHead head{0,
               histogram.num_tokens(),
               histogram.num_at_least(options.min_documents),
               histogram.median(),
               options.min_documents,
               sources[0].view.head.tokens};
  for (const Source& source : sources) head.num_documents += source.view.head.num_documents;
  if (sources.size() == 1) {  // perhaps it has left tokens out, which count for the median
    head.num_tokens = sources[0].view.head.num_tokens;
    head.median_df = sources[0].view.head.median_df;
  }
  return head;
}

}  // namespace

Status merge_idf_files(std::span<const std::string> inputs, const std::string& output, const IdfMergeOptions& options) {
  NEARDUP_ASSIGN(const std::vector<Source> sources, open_all(inputs, options));
  NEARDUP_ASSIGN(const IdfHead head, head_of(sources, options));
  NEARDUP_ASSIGN(IdfWriter writer, IdfWriter::create(output, head));
  std::vector<IdfEntry> chunk;
  IdfEntry entry;
  for (Walk walk(sources); walk.next(entry);) {
    if (entry.num_documents >= options.min_documents) chunk.push_back(entry);
    if (chunk.size() < kChunk) continue;
    NEARDUP_TRY(options.context.check_cancel());
    NEARDUP_TRY(writer.add(chunk));
    chunk.clear();
  }
  NEARDUP_TRY(writer.add(chunk));
  return writer.commit();
}

}  // namespace neardup::feature

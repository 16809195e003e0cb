#include "neardup/engine/fingerprints/pairs_on_disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/threads.h"
#include "neardup/engine/fingerprints/pairs_folder.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/fingerprint/file.h"
#include "neardup/join/disk/external.h"
#include "neardup/join/disk/external_stream.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::engine {
namespace {

/// The ids of the documents of one file that have fingerprints, by position: in files of the work folder, so that they
/// take no memory of ours. Raw numbers have none but their position.
class DocumentIds {
 public:
  static Result<DocumentIds> build(const std::string& path, const std::string& prefix, const Context& context) {
    NEARDUP_ASSIGN(auto reader, fingerprint::FileReader::open(path));
    NEARDUP_ASSIGN(AtomicFile text, AtomicFile::create(prefix + "-ids"));
    NEARDUP_ASSIGN(AtomicFile ends, AtomicFile::create(prefix + "-ends"));
    for (uint64_t end = 0;;) {
      NEARDUP_TRY(context.check_cancel());
      NEARDUP_ASSIGN(const auto records, reader.next());
      if (records.empty()) break;
      for (const fingerprint::Record& record : records) {
        if (record.fingerprints.empty()) continue;
        NEARDUP_TRY(text.write(record.id));
        end += record.id.size();
        NEARDUP_TRY(ends.write(bytes_of_one(end)));
      }
    }
    NEARDUP_TRY(text.commit());
    NEARDUP_TRY(ends.commit());
    DocumentIds ids;
    NEARDUP_ASSIGN(ids.text_, MappedFile::open(prefix + "-ids"));
    NEARDUP_ASSIGN(ids.ends_, MappedFile::open(prefix + "-ends"));
    return ids;
  }

  [[nodiscard]] std::string of(uint64_t position) const {
    const auto ends = ends_.as<uint64_t>();
    if (ends.empty()) return fmt::format("{}", position);
    const uint64_t begin = position == 0 ? 0 : ends[position - 1];
    return std::string(text_.bytes().substr(begin, ends[position] - begin));
  }

 private:
  MappedFile text_, ends_;
};

class DiskJoin {
 public:
  DiskJoin(const DiskPairs& pairs, PairReceiver& receiver) : pairs_(pairs), receiver_(receiver) {}

  Status run() {
    NEARDUP_TRY(read_headers());
    NEARDUP_ASSIGN(PairsFolder claimed, PairsFolder::open(pairs_.work, identity_));
    folder_ = claimed.path();
    NEARDUP_TRY(build_ids());
    const join::SortedSink to_output = [&](std::span<const join::Pair> block) { return write(block); };
    if (num_columns_ == 1) {
      NEARDUP_TRY(join_column(0, to_output));
    } else {
      join::PairSorter all(folder_ + "/column-pairs-",
                           MemoryPlan(pairs_.memory_bytes).bytes_of(MemoryUse::kColumnPairs));
      for (uint32_t column = 0; column < num_columns_; ++column) {
        NEARDUP_TRY(join_column(column, [&](std::span<const join::Pair> block) { return all.add(block); }));
      }
      NEARDUP_TRY(all.deliver(folder_, pairs_.context, to_output));
    }
    NEARDUP_TRY(receiver_.finish());
    return claimed.remove();
  }

 private:
  [[nodiscard]] bool self() const { return pairs_.files.size() == 1; }

  Status read_headers() {
    std::vector<fingerprint::FileHeader> headers;
    for (size_t i = 0; i < pairs_.files.size(); ++i) {
      const std::string& path = pairs_.files[i];
      NEARDUP_ASSIGN(const FileInfo info, file_info(path));
      identity_ += fmt::format("{} {} {}\n", path, info.size_bytes, info.modified_ns);
      if (pairs_.raw) continue;
      NEARDUP_ASSIGN(const auto reader, fingerprint::FileReader::open(path));
      if (reader.header().num_values > 0) {
        return fail(Code::kUnsupported, fmt::format("{}: pairs of MinHash signatures are found in memory; leave out "
                                                    "--work, or fingerprint with --family simhash",
                                                    path));
      }
      num_columns_ = reader.header().num_columns;
      headers.push_back(reader.header());
    }
    identity_ += fmt::format("distance {} raw {}\n", pairs_.max_distance, pairs_.raw);
    return headers.size() < 2 ? Status() : check_recipes(headers);
  }

  [[nodiscard]] Status check_recipes(const std::vector<fingerprint::FileHeader>& headers) const {
    if (headers[0].recipe_id != headers[1].recipe_id) {
      return recipe::recipes_differ({fmt::format("'{}'", pairs_.files[0]), headers[0].recipe_id},
                                    {fmt::format("'{}'", pairs_.files[1]), headers[1].recipe_id});
    }
    if (headers[0].num_columns == headers[1].num_columns) return {};
    return fail(Code::kMismatch,
                fmt::format("'{}' has {} fingerprints a document, '{}' has {}; fingerprint both with "
                            "the same --recipe",
                            pairs_.files[0], headers[0].num_columns, pairs_.files[1], headers[1].num_columns));
  }

  Status build_ids() {
    for (size_t i = 0; i < pairs_.files.size(); ++i) {
      DocumentIds ids;
      if (!pairs_.raw) {
        NEARDUP_ASSIGN(ids, DocumentIds::build(pairs_.files[i], fmt::format("{}/file-{}", folder_, i), pairs_.context));
      }
      ids_.push_back(std::move(ids));
    }
    return {};
  }

  [[nodiscard]] Result<std::unique_ptr<join::Source>> open(size_t file, uint32_t column) const {
    return pairs_.raw ? join::open_raw_file(pairs_.files[file])
                      : join::open_fingerprint_file(pairs_.files[file], column);
  }

  // The pairs of several columns are sorted beside.
  [[nodiscard]] uint64_t join_bytes() const {
    return num_columns_ == 1 ? pairs_.memory_bytes : MemoryPlan(pairs_.memory_bytes).bytes_of(MemoryUse::kColumnJoin);
  }

  Status join_column(uint32_t column, const join::SortedSink& sink) {
    join::ExternalOptions options;
    options.max_distance = pairs_.max_distance;
    options.num_threads = pairs_.num_threads;
    options.memory_bytes = join_bytes();
    options.folder = fmt::format("{}/column-{}", folder_, column);
    options.identity = fmt::format("{}column {}\n", identity_, column);
    options.context = pairs_.context;
    NEARDUP_ASSIGN(const auto left, open(0, column));
    if (self()) return join::external_self_join(*left, options, sink);
    NEARDUP_ASSIGN(const auto right, open(1, column));
    // Held in memory: the values, and two tables of them.
    if (std::min(left->size(), right->size()) * 64 <= options.memory_bytes) {
      return join::external_stream_join(*left, *right, options, sink);
    }
    return join::external_cross_join(*left, *right, options, sink);
  }

  Status write(std::span<const join::Pair> block) {
    for (const join::Pair& pair : block) {
      NEARDUP_TRY(receiver_.add(ids_.front().of(pair.a), ids_.back().of(pair.b), static_cast<int>(pair.distance)));
    }
    return {};
  }

  const DiskPairs& pairs_;
  PairReceiver& receiver_;
  std::string folder_;
  std::string identity_;
  uint32_t num_columns_ = 1;
  std::vector<DocumentIds> ids_;
};

}  // namespace

Status find_pairs_on_disk(const DiskPairs& pairs, PairReceiver& receiver) { return DiskJoin(pairs, receiver).run(); }

}  // namespace neardup::engine

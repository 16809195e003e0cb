#include "neardup/cli/pairs_on_disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "neardup/base/mapped_file.h"
#include "neardup/base/threads.h"
#include "neardup/fingerprint/file.h"
#include "neardup/join/external.h"
#include "neardup/join/stream.h"

namespace neardup::cli {
namespace {

/// The ids of the documents of one file that have fingerprints, by position: in files of the work folder, so that they
/// take no memory of ours. Raw numbers have none but their position.
class Ids {
 public:
  static Result<Ids> build(const std::string& path, const std::string& prefix, const Context& context) {
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
        NEARDUP_TRY(ends.write({reinterpret_cast<const char*>(&end), sizeof end}));
      }
    }
    NEARDUP_TRY(text.commit());
    NEARDUP_TRY(ends.commit());
    Ids ids;
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
  DiskJoin(const DiskPairs& pairs, PairsOutput& output)
      : pairs_(pairs), output_(output), folder_(pairs.work + "/neardup-pairs") {}

  Status run() {
    NEARDUP_TRY(create_directories(folder_));
    NEARDUP_TRY(read_headers());
    const join::SortedSink to_output = [&](std::span<const join::Pair> block) { return write(block); };
    if (num_columns_ == 1) {
      NEARDUP_TRY(join_column(0, to_output));
    } else {
      join::PairSorter all(folder_ + "/column-pairs-", pairs_.memory_bytes / 8);
      for (uint32_t column = 0; column < num_columns_; ++column) {
        NEARDUP_TRY(join_column(column, [&](std::span<const join::Pair> block) { return all.add(block); }));
      }
      NEARDUP_TRY(all.deliver(folder_, pairs_.context, to_output));
    }
    NEARDUP_TRY(output_.finish());
    return remove_all(folder_);
  }

 private:
  [[nodiscard]] bool self() const { return pairs_.files.size() == 1; }

  Status read_headers() {
    std::vector<std::string> recipes;
    for (size_t i = 0; i < pairs_.files.size(); ++i) {
      const std::string& path = pairs_.files[i];
      NEARDUP_ASSIGN(const FileInfo info, file_info(path));
      identity_ += fmt::format("{} {} {}\n", path, info.size_bytes, info.modified_ns);
      if (pairs_.raw) {
        ids_.emplace_back();
        continue;
      }
      NEARDUP_ASSIGN(const auto reader, fingerprint::FileReader::open(path));
      num_columns_ = reader.header().num_columns;
      recipes.push_back(reader.header().recipe_id + fmt::format(" {}", num_columns_));
      NEARDUP_ASSIGN(Ids ids, Ids::build(path, fmt::format("{}/file-{}", folder_, i), pairs_.context));
      ids_.push_back(std::move(ids));
    }
    if (recipes.size() < 2 || recipes[0] == recipes[1]) return {};
    return fail(Code::kMismatch,
                "the two files were made with different recipes; fingerprint both with the same --recipe");
  }

  [[nodiscard]] Result<std::unique_ptr<join::Source>> open(size_t file, uint32_t column) const {
    return pairs_.raw ? join::open_raw_file(pairs_.files[file])
                      : join::open_fingerprint_file(pairs_.files[file], column);
  }

  Status join_column(uint32_t column, const join::SortedSink& sink) {
    join::ExternalOptions options;
    options.max_distance = pairs_.max_distance;
    options.num_threads = pairs_.num_threads;
    options.memory_bytes = pairs_.memory_bytes;
    options.folder = fmt::format("{}/column-{}", folder_, column);
    options.identity = identity_;
    options.context = pairs_.context;
    NEARDUP_ASSIGN(const auto left, open(0, column));
    if (self()) return join::external_self_join(*left, options, sink);
    NEARDUP_ASSIGN(const auto right, open(1, column));
    // Held in memory: the values, and two tables of them.
    if (std::min(left->size(), right->size()) * 64 <= pairs_.memory_bytes) return stream(*left, *right, sink);
    return join::external_cross_join(*left, *right, options, sink);
  }

  Status stream(join::Source& left, join::Source& right, const join::SortedSink& sink) {
    const bool swapped = left.size() > right.size();
    join::Source& small = swapped ? right : left;
    std::vector<fingerprint::Fingerprint> values(small.size());
    NEARDUP_ASSIGN(const size_t count, small.read(values));
    values.resize(count);
    join::PairSorter sorter(folder_ + "/stream-pairs-", pairs_.memory_bytes / 8);
    const join::JoinOptions options{pairs_.max_distance, resolve_num_threads(pairs_.num_threads),
                                    pairs_.memory_bytes / 8 * 7 - values.size() * sizeof values[0], pairs_.context};
    NEARDUP_TRY(join::cross_join(values, swapped ? left : right, options, [&](std::span<const join::Pair> block, int) {
      if (!swapped) return sorter.add(block);
      std::vector<join::Pair> turned(block.begin(), block.end());
      for (join::Pair& pair : turned) std::swap(pair.a, pair.b);
      return sorter.add(turned);
    }));
    return sorter.deliver(folder_, pairs_.context, sink);
  }

  Status write(std::span<const join::Pair> block) {
    for (const join::Pair& pair : block) {
      NEARDUP_TRY(output_.add(ids_.front().of(pair.a), ids_.back().of(pair.b), static_cast<int>(pair.distance)));
    }
    return {};
  }

  const DiskPairs& pairs_;
  PairsOutput& output_;
  std::string folder_;
  std::string identity_;
  uint32_t num_columns_ = 1;
  std::vector<Ids> ids_;
};

}  // namespace

Status write_pairs_on_disk(const DiskPairs& pairs, PairsOutput& output) { return DiskJoin(pairs, output).run(); }

}  // namespace neardup::cli

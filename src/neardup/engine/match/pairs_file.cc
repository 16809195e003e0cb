#include "neardup/engine/match/pairs_file.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "neardup/engine/checked_file.h"
#include "neardup/engine/match/shown_pair.h"

namespace neardup::engine {
namespace {

constexpr size_t kPairsAtOnce = 256;        // candidates that a thread verifies at a time
constexpr size_t kBlock = size_t{1} << 16;  // candidates handed over at a time

// Members of each group, preferred one first: members[first[g]] .. members[first[g + 1]].
struct Members {
  std::vector<uint32_t> first;
  std::vector<uint32_t> members;

  explicit Members(const ExactGroups& groups) : first(groups.size() + size_t{1}, 0), members(groups.group_of.size()) {
    for (const uint32_t group : groups.group_of) ++first[group + size_t{1}];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint32_t> next(first.begin(), first.end() - 1);
    for (uint32_t group = 0; group < groups.size(); ++group) members[next[group]++] = groups.best[group];
    for (uint32_t document = 0; document < groups.group_of.size(); ++document) {
      const uint32_t group = groups.group_of[document];
      if (document != groups.best[group]) members[next[group]++] = document;
    }
  }
  [[nodiscard]] std::span<const uint32_t> of(uint32_t group) const {
    return std::span(members).subspan(first[group], first[group + 1] - first[group]);
  }
};

class PairWriter {
 public:
  using Write = std::function<Status(std::string_view)>;
  PairWriter(const Documents& documents, Write write) : documents_(documents), write_(std::move(write)) {}

  Status write(uint32_t a, uint32_t b, const char* kind, uint32_t distance, float similarity) {
    if (a < documents_.num_references() && b < documents_.num_references()) return {};
    line_ = "{\"a\":";
    append_json_string(line_, documents_.id(a));
    line_ += ",\"b\":";
    append_json_string(line_, documents_.id(b));
    line_ += ",\"kind\":\"";
    line_ += kind;
    line_ += "\",\"distance\":" + (distance >= cluster::kUnknownDistance ? "null" : std::to_string(distance)) +
             ",\"similarity\":";
    append_json_number(line_, shown_similarity(similarity));
    line_ += "}\n";
    return write_(line_);
  }

 private:
  const Documents& documents_;
  const Write write_;
  std::string line_;
};

Status write_exact(const Members& members, uint32_t num_groups, PairWriter& writer, const Context& context) {
  for (uint32_t group = 0; group < num_groups; ++group) {
    NEARDUP_TRY(context.check_cancel());
    const auto of = members.of(group);
    for (size_t i = 0; i < of.size(); ++i)
      for (size_t j = i + 1; j < of.size(); ++j) NEARDUP_TRY(writer.write(of[i], of[j], "exact", 0, 1));
  }
  return {};
}

Status write_pair(const Members& members, const VerifiedPairs::Pair& pair, const char* kind, PairWriter& writer) {
  for (const uint32_t a : members.of(pair.candidate.better))
    for (const uint32_t b : members.of(pair.candidate.worse))
      NEARDUP_TRY(writer.write(a, b, kind, pair.candidate.distance, pair.similarity));
  return {};
}

}  // namespace

Result<VerifiedPairs> VerifiedPairs::collect(const cluster::CandidateSource& source, const cluster::Verify& verify,
                                             const std::string& scratch_path, int num_threads, const Context& context) {
  NEARDUP_ASSIGN(AppendFile file, AppendFile::open(scratch_path, 0));
  std::vector<cluster::Likeness> verdicts;
  std::vector<Pair> accepted;
  while (true) {
    NEARDUP_ASSIGN(const auto block, source());
    if (block.empty()) break;
    verdicts.assign(block.size(), {});
    NEARDUP_TRY(
        parallel_for(num_threads, (block.size() + kPairsAtOnce - 1) / kPairsAtOnce, [&](size_t chunk, int) -> Status {
          NEARDUP_TRY(context.check_cancel());
          for (size_t i = chunk * kPairsAtOnce; i < std::min(block.size(), (chunk + 1) * kPairsAtOnce); ++i) {
            NEARDUP_ASSIGN(verdicts[i], verify(block[i].better, block[i].worse));
          }
          return {};
        }));
    accepted.clear();
    for (size_t i = 0; i < block.size(); ++i)
      if (verdicts[i].similar) accepted.push_back({block[i], verdicts[i].similarity});
    NEARDUP_TRY(file.append(bytes_of(accepted)));
  }
  NEARDUP_TRY(file.flush());
  VerifiedPairs result;
  NEARDUP_ASSIGN(result.file_, MappedFile::open(scratch_path));
  return result;
}

Result<std::span<const cluster::Candidate>> VerifiedPairs::next() {
  const auto all = pairs();
  const size_t end = std::min(all.size(), at_ + kBlock);
  block_.clear();
  for (; at_ < end; ++at_) block_.push_back(all[at_].candidate);
  return std::span<const cluster::Candidate>(block_);
}

Status write_pairs(const Documents& documents, const ExactGroups& groups, const VerifiedPairs& verified,
                   const std::string& path, const Context& context) {
  const Members members(groups);
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  PairWriter writer(documents, [&file](std::string_view line) { return file.write(line); });
  NEARDUP_TRY(write_exact(members, groups.size(), writer, context));
  for (const VerifiedPairs::Pair& pair : verified.pairs()) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_TRY(write_pair(members, pair, "near", writer));
  }
  return file.commit();
}

Status append_contained(const Documents& documents, const ExactGroups& groups, const VerifiedPairs& verified,
                        std::span<const uint32_t> groups_of_ranks, const std::string& path, const Context& context) {
  const Members members(groups);
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, info.size_bytes));
  PairWriter writer(documents, [&file](std::string_view line) { return file.append(line); });
  for (VerifiedPairs::Pair pair : verified.pairs()) {
    NEARDUP_TRY(context.check_cancel());
    pair.candidate.better = groups_of_ranks[pair.candidate.better];
    pair.candidate.worse = groups_of_ranks[pair.candidate.worse];
    NEARDUP_TRY(write_pair(members, pair, "contained", writer));
  }
  return file.sync();
}

}  // namespace neardup::engine

#include "neardup/engine/match/outcome.h"

#include <fmt/format.h>

#include <cstring>

#include "neardup/engine/checked_file.h"

namespace neardup::engine {
namespace {

struct Header {
  char magic[8] = {'N', 'D', 'O', 'U', 'T', 'C', 'O', 'M'};
  uint32_t version = 5;
  uint32_t distance = 0;
  uint64_t num_documents = 0;
  uint64_t num_candidates = 0;
  uint64_t num_verified = 0;
  uint64_t num_similar = 0;
  uint64_t num_settled = 0;
  uint64_t num_filtered = 0;
  ContainedCounts contained;
  uint64_t of = 0;
};

tl::unexpected<Error> damaged(const std::string& path) {
  return fail(Code::kCorruption, fmt::format("'{}' is damaged; start again with --overwrite", path));
}

bool stays(const DocumentFate& fate) { return fate.fate == Fate::kKept || fate.fate == Fate::kReference; }

}  // namespace

std::string_view name_of(Fate fate) {
  constexpr std::string_view kNames[] = {"kept", "exact", "near", "reference", "contained"};
  return kNames[static_cast<size_t>(fate)];
}

Status save_outcome(const std::string& path, const Outcome& outcome) {
  Header header;
  header.distance = outcome.distance;
  header.num_documents = outcome.fates.size();
  header.num_candidates = outcome.num_candidates;
  header.num_verified = outcome.num_verified;
  header.num_similar = outcome.num_similar;
  header.num_settled = outcome.num_settled;
  header.num_filtered = outcome.num_filtered;
  header.contained = outcome.contained;
  header.of = outcome.of;
  const std::string_view head = bytes_of_one(header), body = bytes_of(outcome.fates);
  const uint64_t checksum = hash64(body, hash64(head));
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write(head));
  NEARDUP_TRY(file.write(body));
  NEARDUP_TRY(file.write(bytes_of_one(checksum)));
  return file.commit();
}

Result<Outcome> outcome_from_bytes(std::string_view bytes, const std::string& path) {
  Header header;
  if (bytes.size() < sizeof header + sizeof(uint64_t)) return damaged(path);
  const Header expected;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.version != expected.version)
    return damaged(path);
  const std::string_view body = bytes.substr(sizeof header, bytes.size() - sizeof header - sizeof(uint64_t));
  uint64_t checksum;
  std::memcpy(&checksum, bytes.data() + sizeof header + body.size(), sizeof checksum);
  if (hash64(body, hash64(bytes.substr(0, sizeof header))) != checksum ||
      header.num_documents != body.size() / sizeof(DocumentFate) || body.size() % sizeof(DocumentFate) != 0)
    return damaged(path);
  Outcome outcome;
  outcome.fates.resize(header.num_documents);
  body.copy(reinterpret_cast<char*>(outcome.fates.data()), body.size());
  for (const DocumentFate& fate : outcome.fates)
    if (fate.kept >= outcome.fates.size() || fate.fate > Fate::kContained || !stays(outcome.fates[fate.kept]))
      return damaged(path);
  outcome.distance = header.distance;
  outcome.num_candidates = header.num_candidates;
  outcome.num_verified = header.num_verified;
  outcome.num_similar = header.num_similar;
  outcome.num_settled = header.num_settled;
  outcome.num_filtered = header.num_filtered;
  outcome.contained = header.contained;
  outcome.of = header.of;
  return outcome;
}

Result<Outcome> load_outcome(const std::string& path) {
  NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(path));
  return outcome_from_bytes(file.bytes(), path);
}

}  // namespace neardup::engine

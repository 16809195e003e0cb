#include "neardup/engine/read/part.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"
#include "neardup/engine/checked_json.h"

namespace neardup::engine {
namespace {

constexpr std::array<const char*, kNumPartFiles> kNames = {
    "rows.bin", "prints.bin", "signatures.bin", "ids.bin", "tokens.bin", "batches.bin", "rejected.bin", "groups.jsonl"};
constexpr const char* kOtherGroups = "(other values)";

// A value is held in the writer's table, in the list that is read back and in the table that numbers it.
uint64_t group_bytes(std::string_view value) { return 3 * (value.size() + 96); }

std::string checkpoint_path(const std::string& folder) { return folder + "/part.json"; }

// Parts of one run differ in the names of their folders.
uint64_t mark_of_part(const std::string& folder, uint64_t run) {
  return hash64(std::string_view(folder).substr(folder.rfind('/') + 1), run);
}

Status check_size(const std::string& path, uint64_t size_bytes) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (info.size_bytes == size_bytes) return {};
  return fail(Code::kCorruption, fmt::format("'{}' has {} bytes, {} were written; start again with --overwrite", path,
                                             info.size_bytes, size_bytes));
}

std::optional<uint64_t> number_of_checkpoint(const nlohmann::ordered_json& json, const char* name) {
  return json_integer<uint64_t>(json_member(json, name));
}

// Nothing where a member is not there, or is not of its kind.
std::optional<Checkpoint> checkpoint_of(const nlohmann::ordered_json& json) {
  const auto of = number_of_checkpoint(json, "of");
  const auto batches = number_of_checkpoint(json, "batches");
  const auto documents = number_of_checkpoint(json, "documents");
  const nlohmann::ordered_json complete = json_member(json, "complete"), files = json_member(json, "files");
  if (!of || !batches || !documents || !complete.is_boolean()) return std::nullopt;
  Checkpoint checkpoint;
  checkpoint.of = *of;
  checkpoint.num_batches = *batches;
  checkpoint.num_documents = *documents;
  checkpoint.complete = complete.get<bool>();
  for (size_t i = 0; i < kNumPartFiles; ++i) {
    const nlohmann::ordered_json mark = json_member(files, kNames[i]);
    const auto size_bytes = number_of_checkpoint(mark, "size_bytes"), checksum = number_of_checkpoint(mark, "xxh3");
    if (!size_bytes || !checksum) return std::nullopt;
    checkpoint.marks[i] = {*size_bytes, *checksum};
  }
  return checkpoint;
}

}  // namespace

std::string part_path(const std::string& folder, PartFile file) {
  return folder + "/" + kNames[static_cast<size_t>(file)];
}

Result<Checkpoint> checkpoint_from_json(std::string_view text, const std::string& path) {
  NEARDUP_ASSIGN(const nlohmann::ordered_json json, checked_json(text, path));
  if (const auto checkpoint = checkpoint_of(json)) return *checkpoint;
  return fail(Code::kCorruption, fmt::format("'{}' is not a checkpoint of a run; start again with --overwrite", path));
}

Result<Checkpoint> load_checkpoint(const std::string& folder, std::optional<uint64_t> run) {
  const std::string path = checkpoint_path(folder);
  NEARDUP_ASSIGN(const std::string bytes, read_file(path, 1 << 20));
  NEARDUP_ASSIGN(Checkpoint checkpoint, checkpoint_from_json(bytes, path));
  if (!run || checkpoint.of == mark_of_part(folder, *run)) return checkpoint;
  return fail(Code::kCorruption,
              fmt::format("'{}' is of another run, or of another part; start again with --overwrite", path));
}

Status check_part_sizes(const std::string& folder, const Checkpoint& checkpoint) {
  for (size_t i = 0; i < kNumPartFiles; ++i)
    NEARDUP_TRY(check_size(folder + "/" + kNames[i], checkpoint.marks[i].size_bytes));
  return {};
}

Status check_part(const std::string& folder, const Checkpoint& checkpoint) {
  NEARDUP_TRY(check_part_sizes(folder, checkpoint));
  for (size_t i = 0; i < kNumPartFiles; ++i) NEARDUP_TRY(check_file(folder + "/" + kNames[i], checkpoint.marks[i]));
  return {};
}

void PartBatch::clear() {
  batch = {};
  rows.clear();
  fingerprints.clear();
  signatures.clear();
  ids.clear();
  tokens.clear();
  rejected.clear();
  groups.clear();
}

uint64_t PartBatch::num_bytes() const {
  return rows.size() * sizeof(Row) + fingerprints.size() * sizeof(fingerprint::Fingerprint) +
         signatures.size() * sizeof(fingerprint::SignatureValue) + ids.size() + tokens.size() * sizeof(uint32_t) +
         rejected.size() + sizeof batch;
}

void PartBatch::add(Row row, std::string_view id, std::span<const uint32_t> document_tokens,
                    std::span<const uint32_t> short_text) {
  row.id_offset = ids.size();
  row.id_size = static_cast<uint32_t>(id.size());
  row.tokens_offset = tokens.size();
  row.num_tokens = static_cast<uint32_t>(document_tokens.size());
  row.short_size = static_cast<uint32_t>(short_text.size());
  rows.push_back(row);
  ids += id;
  tokens.insert(tokens.end(), document_tokens.begin(), document_tokens.end());
  tokens.insert(tokens.end(), short_text.begin(), short_text.end());
}

Result<PartWriter> PartWriter::open(const std::string& folder, const std::optional<Checkpoint>& checkpoint,
                                    const GroupLimit& limit, uint64_t run) {
  NEARDUP_TRY(create_directories_durably(folder));
  PartWriter writer;
  writer.folder_ = folder;
  writer.limit_ = limit;
  if (checkpoint) writer.state_ = *checkpoint;
  writer.state_.of = mark_of_part(folder, run);
  for (size_t i = 0; i < kNumPartFiles; ++i) {
    NEARDUP_ASSIGN(CheckedFile file, CheckedFile::open(folder + "/" + kNames[i], writer.state_.marks[i]));
    writer.files_.push_back(std::move(file));
  }
  NEARDUP_TRY(sync_folder(folder));  // a checkpoint names all of them
  writer.num_id_bytes_ = writer.state_.marks[static_cast<size_t>(PartFile::kIds)].size_bytes;
  writer.num_tokens_ = writer.state_.marks[static_cast<size_t>(PartFile::kTokens)].size_bytes / sizeof(uint32_t);
  NEARDUP_ASSIGN(const std::vector<std::string> groups, load_groups(folder));
  for (const std::string& group : groups) {
    writer.groups_.emplace(group, static_cast<uint32_t>(writer.groups_.size()));
    writer.group_bytes_ += group_bytes(group);
  }
  return writer;
}

Result<uint32_t> PartWriter::intern_group(const std::string& value) {
  const std::string& name = groups_.size() < limit_.num_values || groups_.contains(value) ? value : kOtherGroups;
  const auto [entry, added] = groups_.emplace(name, static_cast<uint32_t>(groups_.size()));
  if (added) {
    group_bytes_ += group_bytes(name);
    if (group_bytes_ > limit_.memory_bytes)
      return fail(Code::kMemory,
                  fmt::format("the first {} values of the group or label field take {} MiB, {} MiB are there for them; "
                              "raise --memory, or name a field with fewer or shorter values",
                              groups_.size(), (group_bytes_ >> 20) + 1, limit_.memory_bytes >> 20));
    std::string line;
    append_json_string(line, name);
    line += '\n';
    NEARDUP_TRY(file(PartFile::kGroups).append(line));
  }
  return entry->second;
}

void PartWriter::place(PartBatch& batch) const {
  for (Row& row : batch.rows) {
    row.id_offset += num_id_bytes_;
    row.tokens_offset += num_tokens_;
    row.batch = static_cast<uint32_t>(state_.num_batches);
  }
}

Status PartWriter::append(PartBatch& batch) {
  half_written_ = true;
  batch.batch.first_document = state_.num_documents;
  batch.batch.num_documents = static_cast<uint32_t>(batch.rows.size());
  place(batch);
  for (size_t i = 0; i < batch.groups.size(); ++i) {
    if (batch.groups[i].empty()) continue;
    NEARDUP_ASSIGN(batch.rows[i].group, intern_group(batch.groups[i]));
  }
  NEARDUP_TRY(file(PartFile::kRows).append(bytes_of(batch.rows)));
  NEARDUP_TRY(file(PartFile::kFingerprints).append(bytes_of(batch.fingerprints)));
  NEARDUP_TRY(file(PartFile::kSignatures).append(bytes_of(batch.signatures)));
  NEARDUP_TRY(file(PartFile::kIds).append(batch.ids));
  NEARDUP_TRY(file(PartFile::kTokens).append(bytes_of(batch.tokens)));
  NEARDUP_TRY(file(PartFile::kRejected).append(batch.rejected));
  NEARDUP_TRY(file(PartFile::kBatches).append(bytes_of(std::span(&batch.batch, 1))));
  num_id_bytes_ += batch.ids.size();
  num_tokens_ += batch.tokens.size();
  state_.num_documents += batch.rows.size();
  ++state_.num_batches;
  half_written_ = false;
  return {};
}

Status PartWriter::checkpoint(bool complete) {
  if (half_written_) return {};
  state_.complete = complete;
  nlohmann::ordered_json json;
  json["of"] = state_.of;
  json["batches"] = state_.num_batches;
  json["documents"] = state_.num_documents;
  json["complete"] = complete;
  for (size_t i = 0; i < kNumPartFiles; ++i) {
    NEARDUP_ASSIGN(state_.marks[i], files_[i].mark());
    json["files"][kNames[i]] = {{"size_bytes", state_.marks[i].size_bytes}, {"xxh3", state_.marks[i].checksum}};
  }
  return write_checked_json(checkpoint_path(folder_), std::move(json));
}

Result<std::vector<std::string>> load_groups(const std::string& folder) {
  std::vector<std::string> groups;
  auto bytes = read_file(part_path(folder, PartFile::kGroups));
  if (!bytes && bytes.error().code == Code::kNotFound) return groups;
  NEARDUP_TRY(bytes);
  for (size_t at = 0; at < bytes->size();) {
    const size_t end = bytes->find('\n', at);
    if (end == std::string::npos) break;
    const auto json = parse_json<nlohmann::json>(std::string_view(*bytes).substr(at, end - at));
    if (!json || !json->is_string())
      return fail(Code::kCorruption, fmt::format("'{}' is damaged at byte {}; start again with --overwrite",
                                                 part_path(folder, PartFile::kGroups), at));
    groups.push_back(json->get<std::string>());
    at = end + 1;
  }
  return groups;
}

}  // namespace neardup::engine

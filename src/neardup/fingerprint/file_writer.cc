#include <fmt/format.h>

#include "neardup/fingerprint/file.h"
#include "neardup/fingerprint/file_layout.h"

namespace neardup::fingerprint {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

std::string header_bytes(const FileHeader& header) {
  std::string out(kFileKind.magic);
  append_little(out, kFileKind.version);
  append_little(out, header.num_columns);
  append_little(out, static_cast<uint32_t>(header.recipe_id.size()));
  append_little(out, static_cast<uint32_t>(header.recipe_json.size()));
  append_little(out, header.num_values);
  out += header.recipe_id;
  out += header.recipe_json;
  append_little(out, hash64(out));
  return out;
}

Status check_shape(const FileHeader& header) {
  if (is_file_shape(header.num_columns, header.num_values)) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("a fingerprint file has 1..{} columns or signatures of 16..{} values, not {} and {}",
                          kMaxColumns, kMaxSignatureValues, header.num_columns, header.num_values));
}

}  // namespace

FileWriter::FileWriter(const FileHeader& header) : num_columns_(header.num_columns), num_values_(header.num_values) {}

Result<FileWriter> FileWriter::create(const std::string& path, const FileHeader& header) {
  NEARDUP_TRY(check_shape(header));
  FileWriter writer(header);
  NEARDUP_ASSIGN(writer.file_, AtomicFile::create(path));
  NEARDUP_TRY(writer.begin(header));
  return writer;
}

Result<FileWriter> FileWriter::in_memory(const FileHeader& header) {
  NEARDUP_TRY(check_shape(header));
  FileWriter writer(header);
  NEARDUP_TRY(writer.begin(header));
  return writer;
}

Status FileWriter::begin(const FileHeader& header) {
  const std::string bytes = header_bytes(header);
  std::string_view end = std::string_view(bytes).substr(bytes.size() - 8);
  chain_ = take_little<uint64_t>(end);
  return write(bytes);
}

Status FileWriter::write(std::string_view bytes) {
  if (file_) return file_->write(bytes);
  memory_ += bytes;
  return {};
}

Status FileWriter::add(const Record& record) {
  if (!record.fingerprints.empty() && record.fingerprints.size() != num_columns_) {
    return fail(Code::kInvalidArgument, fmt::format("document '{}' has {} fingerprints, the file {} columns", record.id,
                                                    record.fingerprints.size(), num_columns_));
  }
  if (!record.signature.empty() && record.signature.size() != num_values_) {
    return fail(Code::kInvalidArgument, fmt::format("document '{}' has {} signature values, the file {}", record.id,
                                                    record.signature.size(), num_values_));
  }
  append_little(fixed_, static_cast<uint64_t>(record.id.size()));
  append_little(fixed_, static_cast<uint8_t>(!record.fingerprints.empty() || !record.signature.empty()));
  append_little(fixed_, record.checksum.high);
  append_little(fixed_, record.checksum.low);
  append_little(fixed_, record.size_bytes);
  append_little(fixed_, record.num_tokens);
  for (const Fingerprint value : record.fingerprints) append_little(value_bytes_, value);
  for (const SignatureValue value : record.signature) append_little(value_bytes_, value);
  ids_ += record.id;
  ++block_records_;
  ++num_records_;
  return fixed_.size() + value_bytes_.size() + ids_.size() >= kBlockBytes ? write_block() : Status();
}

Status FileWriter::write_block() {
  if (block_records_ == 0) return {};
  const std::string payload = fixed_ + value_bytes_ + ids_;
  std::string header;
  append_little(header, block_records_);
  append_little(header, uint32_t{0});
  append_little(header, static_cast<uint64_t>(payload.size()));
  const uint64_t checksum = hash64(payload, hash64(header));
  append_little(header, checksum);
  chain_ = next_chain(chain_, checksum);
  NEARDUP_TRY(write(header));
  NEARDUP_TRY(write(payload));
  for (std::string* part : {&fixed_, &value_bytes_, &ids_}) part->clear();
  block_records_ = 0;
  return {};
}

Status FileWriter::commit() {
  NEARDUP_TRY(write_block());
  std::string footer(kFooterMagic);
  append_little(footer, num_records_);
  append_little(footer, chain_);
  append_little(footer, hash64(footer));
  NEARDUP_TRY(write(footer));
  return file_ ? file_->commit() : Status();
}

}  // namespace neardup::fingerprint

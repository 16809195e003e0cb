#include <fmt/format.h>

#include "neardup/fingerprint/file.h"
#include "neardup/fingerprint/file_layout.h"

namespace neardup::fingerprint {

bool is_fingerprint_file(std::string_view first_bytes) { return first_bytes.starts_with(kFileKind.magic); }

bool is_file_shape(uint32_t num_columns, uint32_t num_values) {
  if (num_values == 0) return num_columns >= 1 && num_columns <= kMaxColumns;
  return num_columns == 0 && num_values <= kMaxSignatureValues && is_signature_size(static_cast<int>(num_values));
}

tl::unexpected<Error> FileReader::damaged(std::string_view what) const { return damaged_file(kFileKind, name_, what); }

Result<FileReader> FileReader::open(const std::string& path) {
  FileReader reader(path);
  NEARDUP_ASSIGN(reader.mapped_, MappedFile::open(path));
  NEARDUP_TRY(reader.read_frame(reader.mapped_.bytes()));
  return reader;
}

Result<FileReader> FileReader::from_bytes(std::string_view bytes, std::string name) {
  FileReader reader(std::move(name));
  NEARDUP_TRY(reader.read_frame(bytes));
  return reader;
}

Status FileReader::read_frame(std::string_view bytes) {
  if (!is_fingerprint_file(bytes)) {
    return fail(Code::kCorruption,
                fmt::format("'{}' is not a fingerprint file: it does not begin with '{}'; such files are "
                            "written by `neardup fingerprint --output-format bin`",
                            name_, kFileKind.magic));
  }
  if (bytes.size() < kHeaderFixedBytes + sizeof(uint64_t) + kFooterBytes) return damaged("it is cut short");
  NEARDUP_TRY(read_header(bytes));
  if (blocks_.size() < kFooterBytes) return damaged("it is cut short");
  const std::string_view footer = blocks_.substr(blocks_.size() - kFooterBytes);
  std::string_view rest = footer.substr(kFooterMagic.size());
  if (!footer.starts_with(kFooterMagic)) return damaged("its last bytes are missing");
  num_records_ = take_little<uint64_t>(rest);
  chain_expected_ = take_little<uint64_t>(rest);
  if (take_little<uint64_t>(rest) != hash64(footer.substr(0, kFooterBytes - 8)))
    return damaged("its end fails its checksum");
  blocks_.remove_suffix(kFooterBytes);
  return {};
}

Status FileReader::read_header(std::string_view bytes) {
  std::string_view rest = bytes.substr(kFileKind.magic.size());
  NEARDUP_TRY(check_version(kFileKind, name_, take_little<uint32_t>(rest)));
  header_.num_columns = take_little<uint32_t>(rest);
  const size_t id_bytes = take_little<uint32_t>(rest), json_bytes = take_little<uint32_t>(rest);
  header_.num_values = take_little<uint32_t>(rest);
  if (rest.size() < id_bytes + json_bytes + sizeof(uint64_t)) return damaged("its header is longer than the file");
  header_.recipe_id = rest.substr(0, id_bytes);
  header_.recipe_json = rest.substr(id_bytes, json_bytes);
  rest.remove_prefix(id_bytes + json_bytes);
  const std::string_view covered = bytes.substr(0, bytes.size() - rest.size());
  chain_ = take_little<uint64_t>(rest);
  if (chain_ != hash64(covered)) return damaged("its header fails its checksum");
  if (!is_file_shape(header_.num_columns, header_.num_values)) return damaged("its number of columns");
  blocks_ = rest;
  return {};
}

Result<std::span<const Record>> FileReader::next() {
  records_.clear();
  if (blocks_.empty()) {
    NEARDUP_TRY(check_end());
    return std::span<const Record>();
  }
  if (blocks_.size() < kBlockHeaderBytes) return damaged(fmt::format("block {} is cut short", blocks_read_));
  const std::string_view header = blocks_.substr(0, kBlockHeaderBytes - 8);
  const auto count = take_little<uint32_t>(blocks_);
  const auto reserved = take_little<uint32_t>(blocks_);
  const auto size = take_little<uint64_t>(blocks_);
  const auto checksum = take_little<uint64_t>(blocks_);
  if (size > blocks_.size()) return damaged(fmt::format("block {} is longer than the file", blocks_read_));
  const std::string_view payload = blocks_.substr(0, size);
  if (checksum != hash64(payload, hash64(header)))
    return damaged(fmt::format("block {} fails its checksum", blocks_read_));
  if (count == 0 || reserved != 0 || count > size / kRecordFixedBytes) {
    return damaged(fmt::format("block {} cannot hold {} records", blocks_read_, count));
  }
  NEARDUP_TRY(read_block(payload, count));
  blocks_.remove_prefix(size);
  chain_ = next_chain(chain_, checksum);
  ++blocks_read_;
  records_read_ += count;
  return std::span<const Record>(records_);
}

// Lengths first: when they add up to the payload, every view into it is safe.
Status FileReader::read_block(std::string_view payload, uint32_t count) {
  std::string_view fixed = payload.substr(0, count * kRecordFixedBytes);
  std::string_view rest = payload.substr(fixed.size());
  std::vector<uint64_t> id_sizes;
  std::vector<bool> has_values;
  const uint64_t print_bytes = header_.num_columns * sizeof(Fingerprint) + header_.num_values * sizeof(SignatureValue);
  uint64_t num_value_bytes = 0, id_bytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    id_sizes.push_back(take_little<uint64_t>(fixed));
    const auto flag = take_little<uint8_t>(fixed);
    if (flag > 1 || id_sizes.back() > payload.size() - id_bytes)
      return damaged(fmt::format("block {} record {}", blocks_read_, i));
    has_values.push_back(flag == 1);
    num_value_bytes += flag == 1 ? print_bytes : 0;
    id_bytes += id_sizes.back();
    Record record;
    record.checksum.high = take_little<uint64_t>(fixed);
    record.checksum.low = take_little<uint64_t>(fixed);
    record.size_bytes = take_little<uint64_t>(fixed);
    record.num_tokens = take_little<uint64_t>(fixed);
    records_.push_back(record);
  }
  if (num_value_bytes + id_bytes != rest.size())
    return damaged(fmt::format("block {}: lengths do not add up", blocks_read_));
  give_values(rest.substr(0, num_value_bytes), has_values);
  rest.remove_prefix(num_value_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    records_[i].id = rest.substr(0, id_sizes[i]);
    rest.remove_prefix(id_sizes[i]);
  }
  return {};
}

// One of the two kinds alone is there.
void FileReader::give_values(std::string_view value_bytes, const std::vector<bool>& has_values) {
  values_.clear();
  signatures_.clear();
  while (!value_bytes.empty() && header_.num_columns > 0) values_.push_back(take_little<Fingerprint>(value_bytes));
  while (!value_bytes.empty()) signatures_.push_back(take_little<SignatureValue>(value_bytes));
  std::span<const Fingerprint> values(values_);
  std::span<const SignatureValue> signatures(signatures_);
  for (size_t i = 0; i < records_.size(); ++i) {
    if (!has_values[i]) continue;
    records_[i].fingerprints = values.first(header_.num_columns);
    records_[i].signature = signatures.first(header_.num_values);
    values = values.subspan(header_.num_columns);
    signatures = signatures.subspan(header_.num_values);
  }
}

Status FileReader::check_end() const {
  if (records_read_ != num_records_) {
    return damaged(fmt::format("it holds {} records, its end says {}", records_read_, num_records_));
  }
  if (chain_ != chain_expected_) return damaged("its blocks are not those that were written");
  return {};
}

}  // namespace neardup::fingerprint

// A file of ids that is read where it lies, mapped: documents' ids one behind the other with their ends, and the order
// of the documents by the hashes of their ids. So a number finds an id by one read and an id a number by interpolation,
// since hashes are even. Opened without `verify` nothing is read beforehand; each access then checks its own bounds, so
// a damaged file gives wrong answers at most.
#include "neardup/store/id_piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/hash.h"

namespace neardup::store {

namespace {

constexpr FileKind kIdPieceKind{"NDUPIDTB", 1, "table of ids", "restore it from a copy, or make the index again"};

// The order of the live documents by the hashes of their ids, equal ones by number.
std::vector<std::pair<uint64_t, uint32_t>> hashed(const IdPieceContent& content) {
  std::vector<std::pair<uint64_t, uint32_t>> rows;
  for (uint32_t i = 0; i < content.ends.size(); ++i) {
    if (!content.live[i]) continue;
    const uint64_t begin = i == 0 ? 0 : content.ends[i - 1];
    rows.emplace_back(hash64(std::string_view(content.ids).substr(begin, content.ends[i] - begin)), i);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

std::string to_bytes(const IdPieceContent& content) {
  const auto rows = hashed(content);
  std::string out = begin_frame(kIdPieceKind);
  out.reserve(64 + 8 * (rows.size() + content.erased.size() + content.ends.size()) + 4 * rows.size() +
              content.ids.size() + kFrameFooterBytes);
  for (const uint64_t number : {content.first_document, uint64_t{content.ends.size()}, uint64_t{rows.size()},
                                uint64_t{content.erased.size()}, uint64_t{content.ids.size()}, uint64_t{0}})
    append_little(out, number);
  for (const auto& [hash, index] : rows) append_little(out, hash);
  for (const uint64_t document : content.erased) append_little(out, document);
  for (const uint64_t end : content.ends) append_little(out, end);
  for (const auto& [hash, index] : rows) append_little(out, index);
  out += content.ids;
  end_frame(out);
  return out;
}

tl::unexpected<Error> IdPiece::damaged(std::string_view what) const { return damaged_file(kIdPieceKind, path_, what); }

uint64_t IdPiece::checksum() const { return frame_checksum(bytes_); }

uint64_t IdPiece::number(const char* array, uint64_t i) const {
  return ByteReader({array + 8 * i, 8}).number<uint64_t>();
}

uint32_t IdPiece::order(uint64_t i) const { return ByteReader({order_ + 4 * i, 4}).number<uint32_t>(); }

Result<IdPiece> IdPiece::open(const std::string& path, bool verify) {
  NEARDUP_ASSIGN(MappedFile mapped, MappedFile::open(path));
  auto owner = std::make_shared<const MappedFile>(std::move(mapped));
  NEARDUP_ASSIGN(IdPiece piece, from_bytes(owner->bytes(), path, verify));
  piece.mapped_ = std::move(owner);
  return piece;
}

Result<IdPiece> IdPiece::from_bytes(std::string_view bytes, std::string path, bool verify) {
  IdPiece piece;
  piece.path_ = std::move(path);
  NEARDUP_TRY(piece.read(bytes, verify));
  return piece;
}

Status IdPiece::read(std::string_view bytes, bool verify) {
  bytes_ = bytes;
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kIdPieceKind, path_, verify));
  ByteReader reader(payload);
  first_document_ = reader.number<uint64_t>();
  num_documents_ = reader.number<uint64_t>();
  num_live_ = reader.number<uint64_t>();
  num_erased_ = reader.number<uint64_t>();
  const auto id_bytes = reader.number<uint64_t>();
  const auto zero = reader.number<uint64_t>();
  const uint64_t most = payload.size() / 8;
  if (!reader.ok() || zero != 0 || num_documents_ > most || num_live_ > num_documents_ || num_erased_ > most ||
      first_document_ > UINT64_MAX - num_documents_)
    return damaged("its counts are impossible");
  hashes_ = reader.piece(8 * num_live_).data();
  erased_ = reader.piece(8 * num_erased_).data();
  ends_ = reader.piece(8 * num_documents_).data();
  order_ = reader.piece(4 * num_live_).data();
  ids_ = reader.piece(id_bytes);
  if (!reader.ok() || !reader.rest().empty()) return damaged("its lengths do not add up");
  return verify ? check_content() : Status{};
}

Status IdPiece::check_content() const {
  for (uint64_t i = 0; i < num_documents_; ++i)
    if (end(i) > ids_.size() || (i > 0 && end(i) < end(i - 1))) return damaged(fmt::format("the id of document {}", i));
  if ((num_documents_ == 0 ? 0 : end(num_documents_ - 1)) != ids_.size()) return damaged("bytes belong to no id");
  std::vector<bool> seen(num_documents_);
  for (uint64_t i = 0; i < num_live_; ++i) {
    const uint32_t at = order(i);
    if (at >= num_documents_ || seen[at] || (i > 0 && hash(i) < hash(i - 1)) ||
        hash64(id(first_document_ + at)) != hash(i))
      return damaged(fmt::format("the order of its ids at {}", i));
    seen[at] = true;
  }
  for (uint64_t i = 1; i < num_erased_; ++i)
    if (number(erased_, i) <= number(erased_, i - 1)) return damaged("the order of erased documents");
  return {};
}

std::string_view IdPiece::id(uint64_t document) const {
  const uint64_t i = document - first_document_;
  if (i >= num_documents_) return {};
  const uint64_t begin = i == 0 ? 0 : end(i - 1);
  return end(i) < begin || end(i) > ids_.size() ? std::string_view() : ids_.substr(begin, end(i) - begin);
}

// Hashes are even, so that interpolation is off by about the root of their number; then by halves.
uint64_t IdPiece::first_of_hash(uint64_t wanted) const {
  uint64_t low = 0, high = num_live_;  // hash(low - 1) < wanted <= hash(high)
  const auto guess = static_cast<uint64_t>(static_cast<double>(wanted) / 0x1p64 * static_cast<double>(num_live_));
  for (uint64_t at = std::min(guess, num_live_ - 1), reach = 64; low < high; reach *= 8) {
    const bool below = hash(at) < wanted;
    (below ? low : high) = below ? at + 1 : at;
    const uint64_t next = below ? (at + reach < at ? high : at + reach) : (at < reach ? 0 : at - reach);
    if (next <= low || next >= high) break;
    at = next;
  }
  while (low < high) {
    const uint64_t middle = std::midpoint(low, high);
    (hash(middle) < wanted ? low : high) = hash(middle) < wanted ? middle + 1 : middle;
  }
  return low;
}

std::optional<uint64_t> IdPiece::find(std::string_view wanted, uint64_t wanted_hash, const DocumentSet& erased) const {
  if (num_live_ == 0) return std::nullopt;
  for (uint64_t i = first_of_hash(wanted_hash); i < num_live_ && hash(i) == wanted_hash; ++i) {
    const uint64_t document = first_document_ + order(i);
    // Hashes may meet, and an id may have been erased and added again: the id itself decides.
    if (order(i) < num_documents_ && id(document) == wanted && !erased.contains(document)) return document;
  }
  return std::nullopt;
}

std::vector<uint64_t> IdPiece::erased() const {
  std::vector<uint64_t> documents;
  documents.reserve(num_erased_);
  for (uint64_t i = 0; i < num_erased_; ++i) documents.push_back(number(erased_, i));
  return documents;
}

}  // namespace neardup::store

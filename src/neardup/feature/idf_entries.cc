#include "neardup/feature/idf_entries.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "neardup/base/mapped_file.h"
#include "neardup/feature/idf_merge.h"

namespace neardup::feature {
namespace {

constexpr std::array<char, 8> kMagic = {'N', 'D', 'U', 'P', 'I', 'D', 'F', '\n'};
constexpr uint32_t kVersion = 2;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kVersion;
  uint32_t median_df = 0;
  uint64_t num_documents = 0;
  uint64_t num_tokens = 0;
  uint64_t num_entries = 0;
  uint32_t min_documents = 1;
  uint32_t tokens_bytes = 0;
};
static_assert(sizeof(Header) == 48);

using Checksum = std::array<char, 16>;  // canonical_bytes()

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

std::string_view entry_bytes(std::span<const IdfEntry> entries) {
  return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(IdfEntry)};
}

size_t padded(size_t tokens_bytes) { return (tokens_bytes + 3) / 4 * 4; }

/// Header and text: all that stands before the entries.
std::string head_bytes(const IdfHead& head) {
  const Header header{kMagic,          kVersion,         head.median_df,     head.num_documents,
                      head.num_tokens, head.num_entries, head.min_documents, static_cast<uint32_t>(head.tokens.size())};
  std::string bytes(bytes_of(header));
  bytes += head.tokens;
  bytes.resize(sizeof(Header) + padded(head.tokens.size()), '\0');
  return bytes;
}

tl::unexpected<Error> corrupt(const std::string& where, const std::string& what) {
  return fail(Code::kCorruption,
              fmt::format("'{}' is not a whole IDF dictionary: {}; train it again with 'neardup idf'", where, what));
}

Result<Header> parse_header(std::string_view bytes, const std::string& where) {
  constexpr size_t kFrame = sizeof(Header) + sizeof(Checksum);
  if (bytes.size() < kFrame) return corrupt(where, fmt::format("{} bytes, at least {} expected", bytes.size(), kFrame));
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kMagic) return corrupt(where, "it does not begin with 'NDUPIDF'");
  if (header.version != kVersion) {
    return corrupt(where, fmt::format("format version {}, this program reads {}", header.version, kVersion));
  }
  if (header.tokens_bytes > kMaxTokensBytes || padded(header.tokens_bytes) > bytes.size() - kFrame)
    return corrupt(where, fmt::format("{} bytes tell of its tokens", header.tokens_bytes));
  const size_t body = bytes.size() - kFrame - padded(header.tokens_bytes);
  if (body % sizeof(IdfEntry) != 0 || header.num_entries != body / sizeof(IdfEntry)) {
    return corrupt(where, fmt::format("{} bytes of entries, {} entries of {} bytes expected", body, header.num_entries,
                                      sizeof(IdfEntry)));
  }
  return header;
}

Status check_head(const IdfHead& head, const std::string& where) {
  if (head.num_tokens < head.num_entries) return corrupt(where, "more entries than tokens");
  if (head.median_df > head.num_documents || (head.median_df == 0) != (head.num_tokens == 0)) {
    return corrupt(where, fmt::format("a median of {} of {} documents", head.median_df, head.num_documents));
  }
  if (head.min_documents <= 1 && head.num_tokens != head.num_entries)
    return corrupt(where, fmt::format("{} tokens, but {} entries", head.num_tokens, head.num_entries));
  return {};
}

Status check_entries(const IdfView& view, const std::string& where) {
  for (size_t i = 0; i < view.entries.size(); ++i) {
    const IdfEntry& entry = view.entries[i];
    if (i > 0 && view.entries[i - 1].hash() >= entry.hash()) {
      return corrupt(where, fmt::format("entry {} is not in ascending order", i));
    }
    if (entry.num_documents == 0 || entry.num_documents < view.head.min_documents ||
        entry.num_documents > view.head.num_documents) {
      return corrupt(where, fmt::format("entry {} is in {} of {} documents, and the fewest are {}", i,
                                        entry.num_documents, view.head.num_documents, view.head.min_documents));
    }
  }
  return {};
}

}  // namespace

void DfHistogram::add(uint32_t df) {
  ++num_tokens_;
  if (df < kSmall) {
    ++small_[df];
  } else {
    ++large_[df];
  }
}

uint64_t DfHistogram::num_at_least(uint32_t min_documents) const {
  uint64_t fewer = 0;
  for (uint32_t df = 0; df < kSmall && df < min_documents; ++df) fewer += small_[df];
  for (auto at = large_.begin(); at != large_.end() && at->first < min_documents; ++at) fewer += at->second;
  return num_tokens_ - fewer;
}

uint32_t DfHistogram::median() const {
  uint64_t before = num_tokens_ / 2;
  for (auto at = large_.rbegin(); at != large_.rend(); ++at) {
    if (before < at->second) return at->first;
    before -= at->second;
  }
  for (uint32_t df = kSmall; df-- > 0;) {
    if (before < small_[df]) return df;
    before -= small_[df];
  }
  return 0;
}

Result<IdfWriter> IdfWriter::create(const std::string& path, const IdfHead& head) {
  if (head.tokens.size() > kMaxTokensBytes) {
    return fail(Code::kInvalidArgument, fmt::format("'{}': {} bytes tell of the tokens, at most {} are allowed", path,
                                                    head.tokens.size(), kMaxTokensBytes));
  }
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  IdfWriter writer(std::move(file));
  NEARDUP_TRY(writer.write(head_bytes(head)));
  return writer;
}

Status IdfWriter::write(std::string_view bytes) {
  hasher_.add(bytes);
  return file_.write(bytes);
}

Status IdfWriter::add(std::span<const IdfEntry> entries) { return write(entry_bytes(entries)); }

Status IdfWriter::commit() {
  NEARDUP_TRY(file_.write(bytes_of(canonical_bytes(hasher_.value()))));
  return file_.commit();
}

Hash128 idf_checksum(const IdfCounts& counts) {
  Hasher128 hasher;
  hasher.add(head_bytes(counts.head));
  hasher.add(entry_bytes(counts.entries));
  return hasher.value();
}

Status write_idf_file(const IdfCounts& counts, const std::string& path) {
  NEARDUP_ASSIGN(IdfWriter writer, IdfWriter::create(path, counts.head));
  NEARDUP_TRY(writer.add(counts.entries));
  return writer.commit();
}

Result<IdfView> view_idf(std::string_view bytes, const std::string& where) {
  NEARDUP_ASSIGN(const Header header, parse_header(bytes, where));
  Checksum stored;
  const size_t whole = bytes.size() - sizeof(stored);
  std::memcpy(stored.data(), bytes.data() + whole, sizeof(stored));
  if (stored != canonical_bytes(hash128(bytes.substr(0, whole)))) return corrupt(where, "its checksum does not fit");
  const std::string_view text = bytes.substr(sizeof(Header), padded(header.tokens_bytes));
  if (text.find_first_not_of('\0', header.tokens_bytes) != std::string_view::npos)
    return corrupt(where, "its padding is not zero");
  IdfView view{{header.num_documents, header.num_tokens, header.num_entries, header.median_df, header.min_documents,
                std::string(text.substr(0, header.tokens_bytes))},
               {reinterpret_cast<const IdfEntry*>(bytes.data() + sizeof(Header) + text.size()), header.num_entries}};
  NEARDUP_TRY(check_head(view.head, where));
  NEARDUP_TRY(check_entries(view, where));
  return view;
}

Result<IdfFigures> idf_file_figures(const std::string& path) {
  NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(path));
  NEARDUP_ASSIGN(const Header header, parse_header(file.bytes(), path));
  return IdfFigures{header.num_documents, header.num_tokens, header.num_entries};
}

}  // namespace neardup::feature

#include "neardup/feature/idf_entries.h"

#include <fmt/format.h>

#include "neardup/base/disk/mapped_file.h"
#include "neardup/feature/dictionary_file.h"
#include "neardup/feature/idf_merge.h"

namespace neardup::feature {
namespace {

constexpr DictionaryKind kIdfKind{
    {'N', 'D', 'U', 'P', 'I', 'D', 'F', '\n'}, 2, 4, "IDF dictionary", "train it again with 'neardup idf'"};

struct Header {
  std::array<char, 8> magic = kIdfKind.magic;
  uint32_t version = kIdfKind.version;
  uint32_t median_df = 0;
  uint64_t num_documents = 0;
  uint64_t num_tokens = 0;
  uint64_t num_entries = 0;
  uint32_t min_documents = 1;
  uint32_t tokens_bytes = 0;
};
static_assert(sizeof(Header) == 48);

/// Header and text: all that stands before the entries.
std::string head_bytes(const IdfHead& head) {
  const Header header{.median_df = head.median_df,
                      .num_documents = head.num_documents,
                      .num_tokens = head.num_tokens,
                      .num_entries = head.num_entries,
                      .min_documents = head.min_documents,
                      .tokens_bytes = static_cast<uint32_t>(head.tokens.size())};
  return dictionary_head(kIdfKind, header, head.tokens);
}

tl::unexpected<Error> corrupt(const std::string& where, const std::string& what) {
  return not_whole(kIdfKind, where, what);
}

Result<Header> parse_header(std::string_view bytes, const std::string& where) {
  std::string_view body;
  NEARDUP_ASSIGN(const Header header, parse_dictionary<Header>(kIdfKind, bytes, where, body));
  if (body.size() % sizeof(IdfEntry) != 0 || header.num_entries != body.size() / sizeof(IdfEntry)) {
    return corrupt(where, fmt::format("{} bytes of entries, {} entries of {} bytes expected", body.size(),
                                      header.num_entries, sizeof(IdfEntry)));
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

Status IdfWriter::add(std::span<const IdfEntry> entries) { return write(bytes_of(entries)); }

Status IdfWriter::commit() {
  NEARDUP_TRY(file_.write(dictionary_checksum(hasher_.value())));
  return file_.commit();
}

Hash128 idf_checksum(const IdfCounts& counts) {
  Hasher128 hasher;
  hasher.add(head_bytes(counts.head));
  hasher.add(bytes_of(counts.entries));
  return hasher.value();
}

Status write_idf_file(const IdfCounts& counts, const std::string& path) {
  NEARDUP_ASSIGN(IdfWriter writer, IdfWriter::create(path, counts.head));
  NEARDUP_TRY(writer.add(counts.entries));
  return writer.commit();
}

Result<IdfView> view_idf(std::string_view bytes, const std::string& where) {
  NEARDUP_ASSIGN(const Header header, parse_header(bytes, where));
  NEARDUP_TRY(check_checksum(kIdfKind, bytes, where));
  const std::string_view text = bytes.substr(sizeof(Header), padded(kIdfKind, header.tokens_bytes));
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

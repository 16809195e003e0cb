// The file holds the arrays of the tables as they are searched, each as a section with its checksum, so that an index
// is mapped and not built again. Which sections a table has is its codec's matter; here they are only passed on.
// What is opened is bytes from outside: the file's header is checked by IndexFile, lengths and ranges by each table and
// by the records (State::open), and only then does anything lead anywhere. They say what is wrong, and this adds which
// file and what to do (docs/formats/index.md).
#include <fmt/format.h>

#include "neardup/hamming/index_file.h"
#include "neardup/hamming/static_index_state.h"

namespace neardup::hamming {

template <fingerprint::AnyFingerprint F>
Status StaticIndex<F>::write(const std::string& path, std::string_view note) const {
  std::vector<FileSection> sections;
  const auto add = [&](uint32_t table, const std::vector<TableSection>& arrays) {
    for (const TableSection& section : arrays) sections.push_back({table, section});
  };
  for (size_t t = 0; t < plan().tables.size(); ++t) add(static_cast<uint32_t>(t), state_->table_sections(t));
  add(kWholeIndex, state_->record_sections());
  return write_index_file(path, {state_->codec(), size(), num_distinct(), plan(), std::string(note)}, sections);
}

template <fingerprint::AnyFingerprint F>
Result<StaticIndex<F>> StaticIndex<F>::open(const std::string& path, Access access, bool verify) {
  NEARDUP_ASSIGN(IndexFile file, IndexFile::open(path, access, verify));
  return open(std::move(file));
}

template <fingerprint::AnyFingerprint F>
Result<StaticIndex<F>> StaticIndex<F>::open(IndexFile file) {
  const IndexFileHeader& header = file.header();
  if (header.plan.num_bits != fingerprint::kBitsOf<F>) {
    return fail(Code::kMismatch, fmt::format("index file '{}' is of {}-bit fingerprints, expected {} bits", file.name(),
                                             header.plan.num_bits, fingerprint::kBitsOf<F>));
  }
  std::vector<std::vector<TableSection>> table_sections;
  for (uint32_t t = 0; t < header.plan.tables.size(); ++t) table_sections.push_back(file.sections(t));
  auto state = State::open(header.codec, header.plan, header.num_distinct, header.num_documents, table_sections,
                           file.sections(kWholeIndex), std::make_shared<const IndexFile>(file));
  if (!state) {
    if (state.error().code == Code::kCorruption) return file.damaged(state.error().message);
    return tl::unexpected<Error>(state.error());
  }
  (*state)->note = header.note;
  return StaticIndex(*state);
}

template Status StaticIndex<fingerprint::Fingerprint>::write(const std::string&, std::string_view) const;
template Status StaticIndex<fingerprint::Fingerprint128>::write(const std::string&, std::string_view) const;
template Result<StaticIndex<fingerprint::Fingerprint>> StaticIndex<fingerprint::Fingerprint>::open(const std::string&,
                                                                                                   Access, bool);
template Result<StaticIndex<fingerprint::Fingerprint128>> StaticIndex<fingerprint::Fingerprint128>::open(
    const std::string&, Access, bool);
template Result<StaticIndex<fingerprint::Fingerprint>> StaticIndex<fingerprint::Fingerprint>::open(IndexFile);
template Result<StaticIndex<fingerprint::Fingerprint128>> StaticIndex<fingerprint::Fingerprint128>::open(IndexFile);

}  // namespace neardup::hamming

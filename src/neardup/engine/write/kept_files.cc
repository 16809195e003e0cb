#include "neardup/engine/write/kept_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "neardup/base/disk/many_files.h"
#include "neardup/base/utf8.h"
#include "neardup/engine/write/shown_text.h"

namespace neardup::engine {
namespace {

// Writes output files one after the other, in the order of the inputs.
class OutputFiles {
 public:
  // Those of `without` get no file.
  OutputFiles(const std::vector<corpus::Input>& inputs, std::string folder, std::vector<bool> without, bool annotates)
      : inputs_(inputs), folder_(std::move(folder)), without_(std::move(without)), annotates_(annotates) {}

  // Appends to the file of input `input`, if it has one; files of inputs before it are complete then.
  Status append(uint32_t input, std::string_view bytes) {
    NEARDUP_TRY(advance(input));
    if (assembly_ != nullptr) return assembly_->add(bytes, write_);
    return file_ ? file_->write(bytes) : Status();
  }
  // Writes the whole file of one text document.
  Status write_text(uint32_t input, std::string_view bytes) {
    NEARDUP_TRY(advance(input));
    unsynced_ = true;
    NEARDUP_ASSIGN(const std::string path, path_of(input));
    if (!inputs_[input].pre.empty()) return copy_original(inputs_[input].path, path);
    return write_file_unsynced(path, bytes);
  }
  // Text files may be many and small: the disk is waited for once.
  Status finish() {
    NEARDUP_TRY(advance(static_cast<uint32_t>(inputs_.size())));
    return unsynced_ ? sync_file_system(folder_) : Status();
  }

 private:
  // What was compared is the output of a program; what stays is the file that it was made of.
  static Status copy_original(const std::string& from, const std::string& to) {
    constexpr size_t kCopyBytes = size_t{1} << 18;
    NEARDUP_ASSIGN(ReadFile source, ReadFile::open(from));
    NEARDUP_ASSIGN(AtomicFile target, AtomicFile::create(to));
    std::string buffer(kCopyBytes, '\0');
    while (true) {
      NEARDUP_ASSIGN(const size_t got, source.read_next(buffer));
      if (got == 0) return target.commit();
      NEARDUP_TRY(target.write(std::string_view(buffer).substr(0, got)));
    }
  }
  // Zero bytes are no valid gzip or zstd file: an empty one has a frame of its own.
  Status close() {
    if (assembly_ != nullptr) NEARDUP_TRY(assembly_->finish(write_));
    assembly_.reset();
    const corpus::Compression compression = inputs_[next_ - 1].compression;
    if (file_->size_bytes() == 0 && compression != corpus::Compression::kNone) {
      NEARDUP_ASSIGN(const std::string empty, corpus::compress(compression, ""));
      NEARDUP_TRY(file_->write(empty));
    }
    return file_->commit();
  }
  // Makes the folders that it is in.
  Result<std::string> path_of(uint32_t input) {
    std::string path = folder_ + "/" + inputs_[input].name;
    NEARDUP_TRY(create_directories(std::filesystem::path(path).parent_path().string()));
    return path;
  }
  [[nodiscard]] bool has_file(uint32_t input) const {
    return !corpus::sink_of(inputs_[input].format).is_whole_file() && !without_[input];
  }
  // Commits the open file if it belongs to an input before `input`, creates the files of inputs without a record that
  // stays, and opens that of `input`. Text files are written whole elsewhere.
  Status advance(uint32_t input) {
    while (next_ <= input) {
      if (file_) NEARDUP_TRY(close());
      file_.reset();
      if (next_ == inputs_.size()) return {};
      if (has_file(next_)) {
        NEARDUP_ASSIGN(const std::string path, path_of(next_));
        NEARDUP_ASSIGN(file_, AtomicFile::create(path));
        NEARDUP_ASSIGN(assembly_, corpus::sink_of(inputs_[next_].format).assemble(inputs_[next_], annotates_));
      }
      ++next_;
    }
    return {};
  }

  const std::vector<corpus::Input>& inputs_;
  std::string folder_;
  std::vector<bool> without_;  // by input
  const bool annotates_;
  std::optional<AtomicFile> file_;
  std::unique_ptr<corpus::Assembly> assembly_;  // of what goes into file_; null where it goes there as it is
  const corpus::WriteBytes write_ = [this](std::string_view bytes) { return file_->write(bytes); };
  uint32_t next_ = 0;  // first input whose file was not opened yet
  bool unsynced_ = false;
};

struct Slot {
  corpus::Batch batch;
  size_t place = 0;         // in documents.batches()
  uint32_t input_base = 0;  // of the reader's inputs in the run's
  uint64_t num_kept = 0;
  std::vector<uint32_t> wanted;  // documents of this batch whose text is shown
  std::vector<std::pair<uint32_t, std::string>> shown;
  std::vector<corpus::Chosen> chosen;                    // records that are written
  std::vector<std::pair<uint32_t, std::string>> output;  // (input, bytes)
};

class KeptWriter {
 public:
  KeptWriter(const Documents& documents, const Outcome& outcome, const Clusters& clusters, const DedupOptions& options,
             const std::vector<uint32_t>& wanted, const Context& context)
      : documents_(documents),
        outcome_(outcome),
        clusters_(clusters),
        options_(options),
        wanted_(wanted),
        context_(context) {}

  // Goes through all batches of `reader`, which are documents.batches()[place] up to [end]. `files` may be null.
  Status run(corpus::Reader reader, size_t place, size_t end, uint32_t input_base, OutputFiles* files);
  KeptFiles take() { return std::move(result_); }

 private:
  Status work(const corpus::Reader& reader, Slot& slot, uint32_t input_base, bool writes) const;
  Status check_same(const Slot& slot) const;
  Status match_records(Slot& slot, uint32_t input_base, bool writes) const;
  void choose_record(const corpus::Document& record, uint32_t document, Slot& slot) const;
  void write_records(Slot& slot) const;
  Status compress_output(const corpus::Reader& reader, Slot& slot) const;
  void find_wanted(Slot& slot) const;

  const Documents& documents_;
  const Outcome& outcome_;
  const Clusters& clusters_;
  const DedupOptions& options_;
  const std::vector<uint32_t>& wanted_;
  const Context& context_;
  KeptFiles result_;
};

void KeptWriter::find_wanted(Slot& slot) const {
  const BatchPlace& place = documents_.batches()[slot.place];
  const auto first = std::lower_bound(wanted_.begin(), wanted_.end(), place.first_document);
  const auto last = std::lower_bound(first, wanted_.end(), place.first_document + place.num_documents);
  slot.wanted.assign(first, last);
}

void KeptWriter::choose_record(const corpus::Document& record, uint32_t document, Slot& slot) const {
  const DocumentFate& fate = outcome_.fates[document];
  const bool kept = fate.fate == Fate::kKept;
  slot.num_kept += kept;
  if (options_.mode == Mode::kRemove) {
    if (kept) slot.chosen.push_back({&record, {}});
    return;
  }
  const uint32_t cluster = clusters_.find(fate.kept);
  corpus::Note note;
  if (!kept) note.duplicate_of = documents_.id(fate.kept);
  if (cluster != kNoCluster) note.cluster = cluster;
  slot.chosen.push_back({&record, std::move(note)});
}

// Text files of one batch are many inputs. What begins a file comes also where no record of its first batch is written.
void KeptWriter::write_records(Slot& slot) const {
  const bool annotates = options_.mode == Mode::kAnnotate;
  const std::span<const corpus::Chosen> chosen = slot.chosen;
  for (size_t begin = 0, end = 0; begin < chosen.size() || (begin == 0 && slot.batch.num_inputs == 1); begin = end) {
    const uint32_t input = chosen.empty() ? slot.batch.first_input : chosen[begin].record->input;
    while (end < chosen.size() && chosen[end].record->input == input) ++end;
    std::string bytes;
    corpus::sink_of(documents_.input(input + slot.input_base).format)
        .append(slot.batch, chosen.subspan(begin, end - begin), annotates, bytes);
    if (end != begin || !bytes.empty()) slot.output.emplace_back(input, std::move(bytes));
    if (end == begin) return;
  }
}

tl::unexpected<Error> changed(const corpus::Input& input, const std::string& how) {
  const std::string cure = input.pre.empty()
                               ? "start again with --overwrite"
                               : fmt::format(
                                     "{} (--pre) is to write the same each time that it is given the file; see "
                                     "to that, and start again with --overwrite",
                                     input.pre);
  return fail(Code::kMismatch, fmt::format("'{}' changed while it was worked on{}; {}", input.path, how, cure));
}

// What a program makes of a file may be other documents under the same numbers, or fall into other batches.
Status KeptWriter::check_same(const Slot& slot) const {
  const BatchPlace& place = documents_.batches()[slot.place];
  if (place.input == slot.batch.first_input + slot.input_base && place.checksum == slot.batch.checksum) return {};
  return changed(documents_.input(std::min(place.input, slot.batch.first_input + slot.input_base)), "");
}

// Documents of the batch and its records come in the same order; records without a document were rejected.
Status KeptWriter::match_records(Slot& slot, uint32_t input_base, bool writes) const {
  const BatchPlace& place = documents_.batches()[slot.place];
  auto document = static_cast<uint32_t>(place.first_document);
  const auto end = static_cast<uint32_t>(place.first_document + place.num_documents);
  for (const corpus::Document& record : slot.batch.documents) {
    if (document == end) break;
    const Row& row = documents_.row(document);
    if (row.line != record.line || row.input != record.input + input_base) continue;
    if (std::binary_search(slot.wanted.begin(), slot.wanted.end(), document))
      slot.shown.emplace_back(document, shown_beginning(options_.recipe, record.text));
    if (writes) choose_record(record, document, slot);
    ++document;
  }
  if (writes) write_records(slot);
  if (document == end) return {};
  return changed(documents_.input(slot.batch.first_input + input_base),
                 fmt::format(", {} of its documents are gone", end - document));
}

Status KeptWriter::compress_output(const corpus::Reader& reader, Slot& slot) const {
  for (auto& [input, bytes] : slot.output) {
    if (reader.inputs()[input].compression == corpus::Compression::kNone) continue;
    if (corpus::sink_of(reader.inputs()[input].format).compresses()) continue;
    NEARDUP_ASSIGN(bytes, corpus::compress(reader.inputs()[input].compression, bytes));
  }
  return {};
}

Status KeptWriter::work(const corpus::Reader& reader, Slot& slot, uint32_t input_base, bool writes) const {
  slot.output.clear();
  slot.chosen.clear();
  slot.input_base = input_base;
  slot.shown.clear();
  slot.num_kept = 0;
  find_wanted(slot);
  if (!writes && slot.wanted.empty()) return {};
  NEARDUP_TRY(slot.wanted.empty() ? reader.load_records(slot.batch) : reader.load(slot.batch));
  NEARDUP_TRY(check_same(slot));
  NEARDUP_TRY(match_records(slot, input_base, writes));
  return compress_output(reader, slot);
}

Status KeptWriter::run(corpus::Reader reader, size_t place, size_t end, uint32_t input_base, OutputFiles* files) {
  uint64_t longest = 0;
  for (uint32_t document = 0; document < documents_.size(); ++document)
    longest = std::max<uint64_t>(longest, documents_.row(document).text_bytes);
  const int num_threads = num_batch_threads(options_, MemoryUse::kKeptFiles, longest, documents_.size());
  std::vector<Slot> slots(static_cast<size_t>(num_threads) + 2);
  uint64_t done_bytes = 0;
  const auto slot = [&](size_t index) -> Slot& { return slots[index % slots.size()]; };
  const auto begin = [&](size_t index) -> Result<bool> {
    NEARDUP_TRY(context_.check_cancel());
    slot(index).place = place + index;
    NEARDUP_ASSIGN(const bool more, reader.next(slot(index).batch));
    if (more && place + index >= end)
      return changed(documents_.input(slot(index).batch.first_input + input_base), ", there is more of it");
    if (!more && place + index < end)
      return changed(documents_.input(documents_.batches()[place + index].input), ", there is less of it");
    return more;
  };
  const auto commit = [&](size_t index) -> Status {
    for (auto& [document, text] : slot(index).shown) result_.shown.emplace(document, std::move(text));
    for (const auto& [input, bytes] : slot(index).output) {
      const bool whole = files != nullptr && corpus::sink_of(reader.inputs()[input].format).is_whole_file();
      if (whole) NEARDUP_TRY(files->write_text(input, bytes));
      if (files != nullptr && !whole) NEARDUP_TRY(files->append(input, bytes));
    }
    result_.num_kept += slot(index).num_kept;
    done_bytes += slot(index).batch.bytes;
    if (files != nullptr && context_.progress != nullptr)
      context_.progress->advance(done_bytes, documents_.batches()[slot(index).place].first_document +
                                                 documents_.batches()[slot(index).place].num_documents -
                                                 documents_.num_references());
    return {};
  };
  NEARDUP_TRY(run_pipeline({.num_threads = num_threads,
                            .window = slots.size(),
                            .begin = begin,
                            .work = [&](size_t i, int) { return work(reader, slot(i), input_base, files != nullptr); },
                            .commit = commit}));
  return files != nullptr ? files->finish() : Status();
}

Result<uint64_t> write_kept_ids(const Documents& documents, const Outcome& outcome, const std::string& path) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  uint64_t num_kept = 0;
  for (uint32_t document = 0; document < documents.size(); ++document) {
    if (outcome.fates[document].fate != Fate::kKept) continue;
    NEARDUP_TRY(file.write(documents.id(document) + "\n"));
    ++num_kept;
  }
  NEARDUP_TRY(file.commit());
  return num_kept;
}

// What was decided by the first reading must not be done to other contents.
Status check_unchanged(const Sources& sources) {
  for (const corpus::Input& input : sources.all()) {
    if (!input.fault.empty()) continue;
    const auto info = file_info(input.path);
    if (!info && info.error().code != Code::kNotFound) return tl::unexpected<Error>(info.error());
    if (info && info->size_bytes == input.size_bytes && info->modified_ns == input.modified_ns) continue;
    return fail(Code::kMismatch,
                fmt::format("'{}' changed while it was worked on; start again with --overwrite", input.path));
  }
  return {};
}

// An empty file says that nothing of an input stays. Of one whose records were all rejected, it would say that there
// was nothing in it: it has no file, as a text file that cannot be read has none.
std::vector<bool> inputs_without_document(const Documents& documents, const Sources& sources) {
  std::vector<bool> has_documents(sources.inputs.size()), has_rejected(sources.inputs.size());
  for (const BatchPlace& batch : documents.batches()) {
    if ((batch.flags & kIsReference) != 0) continue;
    const size_t input = batch.input - sources.references.size();
    if (batch.num_documents > 0) has_documents[input] = true;
    if (batch.num_rejected > 0) has_rejected[input] = true;
  }
  for (size_t i = 0; i < has_rejected.size(); ++i) has_rejected[i] = has_rejected[i] && !has_documents[i];
  return has_rejected;
}

// Those of references come first, and of them those of a store.
size_t count_batches(const Documents& documents, uint32_t flag) {
  return static_cast<size_t>(std::ranges::count_if(
      documents.batches(), [flag](const BatchPlace& batch) { return (batch.flags & flag) != 0; }));
}

}  // namespace

std::string shown_beginning(const recipe::Recipe& recipe, std::string_view bytes) {
  return std::string(cut_at_character(shown_text(recipe, bytes), kShownBytes + kMoreThanShown));
}

Result<KeptFiles> write_kept(const Documents& documents, const Outcome& outcome, const Clusters& clusters,
                             const Sources& sources, const DedupOptions& options, const std::vector<uint32_t>& wanted,
                             const std::string& folder, const Context& context) {
  KeptWriter writer(documents, outcome, clusters, options, wanted, context);
  corpus::ReadOptions read = options.read;
  read.record_memory = nullptr;  // batches are held until they are written in turn: they must not wait for each other
  const size_t stored = count_batches(documents, kIsStored), first = count_batches(documents, kIsReference);
  const auto of_files = std::ranges::lower_bound(wanted, documents.num_stored());
  if (of_files != wanted.end() && *of_files < documents.num_references()) {
    NEARDUP_ASSIGN(corpus::Reader references, corpus::Reader::open(sources.references, read));
    NEARDUP_TRY(writer.run(std::move(references), stored, first, 0, nullptr));
  }
  const bool writes = options.mode != Mode::kIds;
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(sources.inputs, read));
  const std::string kept_folder = folder + (options.mode == Mode::kAnnotate ? "/annotated" : "/kept");
  NEARDUP_TRY(remove_all(kept_folder));  // half-written files of a run that was killed
  OutputFiles files(sources.inputs, kept_folder, inputs_without_document(documents, sources),
                    options.mode == Mode::kAnnotate);
  if (context.progress != nullptr) context.progress->begin_stage("write", "documents", reader.total_bytes(), 0);
  NEARDUP_TRY(writer.run(std::move(reader), first, documents.batches().size(),
                         static_cast<uint32_t>(sources.references.size()), writes ? &files : nullptr));
  KeptFiles result = writer.take();
  if (!writes) {
    NEARDUP_ASSIGN(result.num_kept, write_kept_ids(documents, outcome, folder + "/kept_ids.txt"));
  }
  NEARDUP_TRY(check_unchanged(sources));
  if (context.progress != nullptr) context.progress->end_stage();
  return result;
}

}  // namespace neardup::engine

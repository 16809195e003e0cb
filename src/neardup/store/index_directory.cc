// A folder is whole after every end of a process because nothing in it is changed: content files are written once,
// under numbers that are never used again, and MANIFEST, which names those that count, is exchanged as a whole at
// flush(). Order: content durable, then MANIFEST, then old files go. So at every moment there is one MANIFEST, and all
// that it names is there.
// Segments sealed or merged between flushes are written at once, named later; what a killed process left unnamed is
// swept away by the next writer. A reader that finds a file gone reads MANIFEST again.
// The index knows numbers, people know ids: a document that is added again gets a new number, and the old one is
// erased, so numbers need no versions (id_table.h). docs/design/updates.md, "The folder"; docs/formats/index.md.
#include "neardup/store/index_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folder_lock.h"
#include "neardup/base/guard.h"
#include "neardup/hamming/plan_text.h"
#include "neardup/planner/compare_plans.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/id_table.h"

namespace neardup::store {

namespace {

constexpr int kAttemptsToOpen = 20;  // a writer may remove what an old manifest names while a reader opens it

std::string lock_path(const std::string& folder) { return folder + "/" + std::string(kLockName); }

Result<FolderLock> lock_writer(const std::string& folder) {
  return FolderLock::acquire(lock_path(folder), false, false,
                             "another process is changing this index; wait for it to end");
}

// A plan by its name is read again here and cannot fail: the settings were checked.
PlanMaker plan_maker(const IndexSettings& settings) {
  if (settings.plan.empty()) return plans_by_number(settings.num_bits, settings.max_distance);
  const hamming::Plan plan = hamming::parse_plan(settings.plan, settings.num_bits, settings.max_distance).value();
  return [plan](uint64_t) { return plan; };
}

UpdateOptions update_options(const IndexSettings& settings, const DirectoryOptions& options) {
  UpdateOptions update;
  update.max_distance = settings.max_distance;
  update.plan_for = plan_maker(settings);
  update.codec = settings.codec;
  update.mem_capacity = options.mem_capacity;
  update.num_threads = options.num_threads;
  update.memory_bytes = options.memory_bytes;
  update.context = options.context;
  return update;
}

// Neighbours may come from several columns: the least distance of each document, the near ones first.
void collapse(std::vector<Neighbour>& neighbours) {
  const auto by_document = [](const Neighbour& a, const Neighbour& b) {
    return std::tie(a.document, a.distance) < std::tie(b.document, b.distance);
  };
  const auto by_distance = [](const Neighbour& a, const Neighbour& b) {
    return std::tie(a.distance, a.document) < std::tie(b.distance, b.document);
  };
  const auto same = [](const Neighbour& a, const Neighbour& b) { return a.document == b.document; };
  std::sort(neighbours.begin(), neighbours.end(), by_document);
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end(), same), neighbours.end());
  std::sort(neighbours.begin(), neighbours.end(), by_distance);
}

}  // namespace

// `index` calls back into the rest, and is destroyed first. A payload of the index is document * num_columns + column.
template <fingerprint::AnyFingerprint F>
struct IndexDirectory<F>::Impl {
  std::string folder;
  std::optional<FolderLock> lock;  // of its writer
  Context context;
  bool writable = false;
  bool stored = true;        // there is a MANIFEST
  bool made_folder = false;  // by create()
  Manifest manifest;
  IndexSettings settings;  // of the next manifest
  std::unique_ptr<IdTable> ids;
  std::vector<IdPieceFile> id_files;                   // of the manifest, and written since
  std::optional<std::vector<bool>> with_fingerprints;  // by document, once it was asked

  std::mutex files_mutex;
  std::map<uint64_t, SegmentFiles> files;  // by segment; of the manifest, and written since
  std::set<uint64_t> newest;               // segments of the last commit
  std::atomic<uint64_t> next_file{1};
  std::unique_ptr<UpdatableIndex<F>> index;

  ~Impl();
  Status load(const DirectoryOptions& options);
  Status store(std::span<const Segment<F>> segments);
  [[nodiscard]] bool has_files(uint64_t segment) {
    const std::lock_guard guard(files_mutex);
    return files.contains(segment);
  }
  [[nodiscard]] std::vector<SegmentFiles> files_of(std::span<const Segment<F>> segments);
  Status write_manifest();
  Status remove_unnamed();
  void leave_folder();
  void give_up_folder();
  Status erase_document(uint64_t document);
  [[nodiscard]] bool holds(uint64_t document, std::span<const F> fingerprints);
  [[nodiscard]] bool has_fingerprints(uint64_t document);
  [[nodiscard]] std::vector<uint64_t> payloads(uint64_t document) const;
};

template <fingerprint::AnyFingerprint F>
IndexDirectory<F>::Impl::~Impl() {
  index.reset();
  const auto leave = [&]() -> Status {
    leave_folder();
    return {};
  };
  if (writable) static_cast<void>(guarded(leave));  // nobody is left to tell
}

// What was written and never named goes at once. Where MANIFEST is not the one of the last flush (its writing failed
// half way), the next writer will know what to keep. An index that was never flushed leaves nothing.
template <fingerprint::AnyFingerprint F>
void IndexDirectory<F>::Impl::leave_folder() {
  if (!stored) return give_up_folder();
  const auto now = read_manifest(folder);
  if (now && *now == manifest) static_cast<void>(sweep(folder, manifest));
}

template <fingerprint::AnyFingerprint F>
void IndexDirectory<F>::Impl::give_up_folder() {
  if (!check_new_folder(folder)) return;
  static_cast<void>(sweep(folder, {}));
  static_cast<void>(remove_all(lock_path(folder)));
  if (made_folder) remove_empty_folder(folder);
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::Impl::load(const DirectoryOptions& options) {
  if (manifest.settings.num_bits != fingerprint::kBitsOf<F>) {
    return fail(Code::kMismatch, fmt::format("the index '{}' holds fingerprints of {} bits, expected {}", folder,
                                             manifest.settings.num_bits, fingerprint::kBitsOf<F>));
  }
  NEARDUP_ASSIGN(auto content, open_content<F>(folder, manifest, options.access, options.verify, options.context));
  context = options.context;
  settings = manifest.settings;
  next_file = manifest.next_file;
  ids = std::make_unique<IdTable>(manifest.ids, std::move(content.ids));
  id_files = manifest.ids;
  for (const SegmentFiles& segment : manifest.segments) {
    files.emplace(segment.number, segment);
    newest.insert(segment.number);
  }
  index = std::make_unique<UpdatableIndex<F>>(update_options(settings, options), std::move(content.segments),
                                              [this](auto segments) { return store(segments); });
  return {};
}

// Called from the index, in the background too: files are written, but nothing names them until a flush. A flush
// removes what is in `files` and neither named nor newest, so both change in one hold.
template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::Impl::store(std::span<const Segment<F>> segments) {
  std::set<uint64_t> numbers;
  std::vector<std::pair<uint64_t, SegmentFiles>> all_written;
  for (const Segment<F>& segment : segments) {
    numbers.insert(segment.number);
    if (has_files(segment.number)) continue;
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const SegmentFiles written, write_segment<F>(folder, next_file++, segment));
    all_written.emplace_back(segment.number, written);
  }
  const std::lock_guard guard(files_mutex);
  files.insert(all_written.begin(), all_written.end());
  newest = std::move(numbers);
  return {};
}

template <fingerprint::AnyFingerprint F>
std::vector<SegmentFiles> IndexDirectory<F>::Impl::files_of(std::span<const Segment<F>> segments) {
  const std::lock_guard guard(files_mutex);
  std::vector<SegmentFiles> named;
  for (const Segment<F>& segment : segments) named.push_back(files.at(segment.number));
  return named;
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::Impl::write_manifest() {
  Manifest next = manifest;
  next.settings = settings;
  next.segments = files_of(index->view().segments());
  uint64_t number = next_file++;
  NEARDUP_ASSIGN(next.ids, ids->write(number, [this](uint64_t n) { return ids_path(folder, n); }));
  next.next_document = ids->next_document();
  next.num_documents = ids->num_live();
  // next_file and commit are raised after this: a flush without changes writes nothing.
  if (stored && next == manifest) return {};
  id_files.insert(id_files.end(), next.ids.begin(), next.ids.end());
  next.next_file = next_file;
  ++next.commit;
  NEARDUP_TRY(write_file_atomically(manifest_path(folder), to_bytes(next)));
  manifest = std::move(next);
  if (!std::exchange(stored, true)) NEARDUP_TRY(remove_all(unfinished_path(folder)));
  return remove_unnamed();
}

// What a manifest before named, or one that could not be written, and this one does not. Files of merges that end after
// the flush began are not among them.
template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::Impl::remove_unnamed() {
  for (const IdPieceFile& old : id_files)
    if (std::find(manifest.ids.begin(), manifest.ids.end(), old) == manifest.ids.end())
      NEARDUP_TRY(remove_all(ids_path(folder, old.number)));
  id_files = manifest.ids;
  const std::lock_guard guard(files_mutex);
  for (auto it = files.begin(); it != files.end();) {
    const SegmentFiles& segment = it->second;
    const bool named =
        std::find(manifest.segments.begin(), manifest.segments.end(), segment) != manifest.segments.end();
    if (named || newest.contains(it->first)) {
      ++it;
      continue;
    }
    NEARDUP_TRY(remove_all(segment_path(folder, segment.number)));
    NEARDUP_TRY(remove_all(erased_path(folder, segment.number)));
    it = files.erase(it);
  }
  return {};
}

template <fingerprint::AnyFingerprint F>
std::vector<uint64_t> IndexDirectory<F>::Impl::payloads(uint64_t document) const {
  std::vector<uint64_t> payloads(settings.num_columns);
  for (uint32_t column = 0; column < settings.num_columns; ++column)
    payloads[column] = document * settings.num_columns + column;
  return payloads;
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::Impl::erase_document(uint64_t document) {
  const std::vector<uint64_t> erased = payloads(document);
  ids->erase(document);
  Status done = index->replace(erased, {}, {});
  if (!done) ids->take_back_erase(document);
  return done;
}

// To add the same again (an addition that was interrupted, and starts anew) must not make the index larger.
template <fingerprint::AnyFingerprint F>
bool IndexDirectory<F>::Impl::holds(uint64_t document, std::span<const F> fingerprints) {
  if (fingerprints.empty()) return !has_fingerprints(document);
  const View<F> view = index->view();
  for (size_t column = 0; column < fingerprints.size(); ++column)
    if (!view.contains(fingerprints[column], document * settings.num_columns + column)) return false;
  return true;
}

// Nothing tells the fingerprints of a document: all are read where one comes again without any, and noted.
template <fingerprint::AnyFingerprint F>
bool IndexDirectory<F>::Impl::has_fingerprints(uint64_t document) {
  if (!with_fingerprints) {
    std::vector<bool> found(ids->next_document(), false);
    const uint64_t columns = settings.num_columns;
    index->view().for_each([&](F, uint64_t payload) {
      if (columns > 0 && payload / columns < found.size()) found[payload / columns] = true;
    });
    with_fingerprints = std::move(found);
  }
  return (*with_fingerprints)[document];
}

template <fingerprint::AnyFingerprint F>
IndexDirectory<F>::IndexDirectory(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
template <fingerprint::AnyFingerprint F>
IndexDirectory<F>::IndexDirectory(IndexDirectory&&) noexcept = default;
template <fingerprint::AnyFingerprint F>
IndexDirectory<F>& IndexDirectory<F>::operator=(IndexDirectory&&) noexcept = default;
template <fingerprint::AnyFingerprint F>
IndexDirectory<F>::~IndexDirectory() = default;

template <fingerprint::AnyFingerprint F>
Result<IndexDirectory<F>> IndexDirectory<F>::create(const std::string& path, IndexSettings settings,
                                                    const DirectoryOptions& options) {
  settings.num_bits = fingerprint::kBitsOf<F>;
  if (settings.max_distance < 0 || settings.max_distance > fingerprint::kMaxDistanceOf<F>)
    return fail(Code::kInvalidArgument, fmt::format("expected a distance of 0 to {}, found {}",
                                                    fingerprint::kMaxDistanceOf<F>, settings.max_distance));
  if (!settings.plan.empty()) {
    NEARDUP_TRY(hamming::parse_plan(settings.plan, settings.num_bits, settings.max_distance));
  }
  std::error_code error;
  auto impl = std::make_unique<Impl>();
  impl->folder = path;
  impl->made_folder = !std::filesystem::exists(path, error);
  NEARDUP_TRY(create_directories_durably(path));
  NEARDUP_TRY(check_new_folder(path));  // no lock is left in a folder of others
  NEARDUP_ASSIGN(impl->lock, lock_writer(path));
  NEARDUP_TRY(check_new_folder(path));  // who had the lock may have made an index
  impl->writable = true;
  impl->stored = false;
  impl->manifest.settings = settings;
  NEARDUP_TRY(sweep(path, impl->manifest));
  NEARDUP_TRY(write_file_atomically(unfinished_path(path), {}));
  NEARDUP_TRY(impl->load(options));
  return IndexDirectory(std::move(impl));
}

template <fingerprint::AnyFingerprint F>
Result<IndexDirectory<F>> IndexDirectory<F>::open_to_read(const std::string& path, const DirectoryOptions& options) {
  for (int attempt = 1;; ++attempt) {
    auto impl = std::make_unique<Impl>();
    impl->folder = path;
    NEARDUP_ASSIGN(impl->manifest, read_manifest(path));
    // A failure counts only if MANIFEST is still the same: else the writer has removed what this one named.
    const Status loaded = impl->load(options);
    if (loaded) return IndexDirectory(std::move(impl));
    NEARDUP_ASSIGN(const Manifest now, read_manifest(path));
    if (now == impl->manifest || attempt == kAttemptsToOpen) return tl::unexpected<Error>(loaded.error());
  }
}

template <fingerprint::AnyFingerprint F>
Result<IndexDirectory<F>> IndexDirectory<F>::open_to_write(const std::string& path, const DirectoryOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->folder = path;
  NEARDUP_TRY(read_manifest(path));  // no lock is left in a folder that is no index
  NEARDUP_ASSIGN(impl->lock, lock_writer(path));
  NEARDUP_ASSIGN(impl->manifest, read_manifest(path));
  impl->writable = true;
  NEARDUP_TRY(impl->load(options));
  NEARDUP_TRY(sweep(path, impl->manifest));
  return IndexDirectory(std::move(impl));
}

template <fingerprint::AnyFingerprint F>
const IndexSettings& IndexDirectory<F>::settings() const {
  return impl_->settings;
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::join_recipe(const std::string& recipe_id, const std::string& recipe_json,
                                      uint32_t num_columns) {
  IndexSettings& settings = impl_->settings;
  if (!recipe_id.empty() && !settings.recipe_id.empty() && recipe_id != settings.recipe_id) {
    return fail(Code::kMismatch, fmt::format("the index '{}' holds fingerprints of recipe {}, these are of recipe {}; "
                                             "make them with that recipe, or make another index",
                                             impl_->folder, settings.recipe_id, recipe_id));
  }
  if (!recipe_id.empty() && settings.recipe_id.empty() && impl_->ids->num_live() > 0) {
    return fail(Code::kMismatch, fmt::format("the index '{}' holds fingerprints of a recipe that nobody named; "
                                             "these are of recipe {} and may not compare: make another index, or, if "
                                             "they do, give them as text without its recipe column (cut -f1-3)",
                                             impl_->folder, recipe_id));
  }
  if (num_columns != 0 && settings.num_columns != 0 && num_columns != settings.num_columns) {
    return fail(Code::kMismatch, fmt::format("the index '{}' holds {} fingerprints of each document, these have {}; "
                                             "make them with its recipe, or make another index",
                                             impl_->folder, settings.num_columns, num_columns));
  }
  if (settings.recipe_id.empty() && !recipe_id.empty()) {
    std::string json = recipe_json;
    settings.recipe_id = recipe_id;
    settings.recipe_json = std::move(json);
  }
  if (settings.num_columns == 0) settings.num_columns = num_columns;
  return {};
}

template <fingerprint::AnyFingerprint F>
Result<bool> IndexDirectory<F>::put(std::string_view id, std::span<const F> fingerprints) {
  if (!fingerprints.empty() && fingerprints.size() != impl_->settings.num_columns) {
    return fail(Code::kInvalidArgument, fmt::format("expected {} fingerprints of a document, found {}",
                                                    impl_->settings.num_columns, fingerprints.size()));
  }
  const std::optional<uint64_t> before = impl_->ids->find(id);
  if (before && impl_->holds(*before, fingerprints)) return true;
  const uint64_t document = impl_->ids->next_document();
  if (impl_->with_fingerprints) impl_->with_fingerprints->resize(document + 1);
  const std::vector<uint64_t> erased = before ? impl_->payloads(*before) : std::vector<uint64_t>();
  const std::vector<uint64_t> added = fingerprints.empty() ? std::vector<uint64_t>() : impl_->payloads(document);
  impl_->ids->add(id, before);  // a query may find it from here on
  if (Status done = impl_->index->replace(erased, fingerprints, added); !done) {
    impl_->ids->take_back_add(before);
    return tl::unexpected<Error>(std::move(done).error());
  }
  if (impl_->with_fingerprints) (*impl_->with_fingerprints)[document] = !fingerprints.empty();
  return before.has_value();
}

template <fingerprint::AnyFingerprint F>
Result<bool> IndexDirectory<F>::erase(std::string_view id) {
  const std::optional<uint64_t> document = impl_->ids->find(id);
  if (document) NEARDUP_TRY(impl_->erase_document(*document));
  return document.has_value();
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::flush() {
  NEARDUP_TRY(impl_->index->flush());
  return impl_->write_manifest();
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::settle() {
  NEARDUP_TRY(impl_->index->settle());
  return impl_->write_manifest();
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::compact() {
  NEARDUP_TRY(impl_->index->compact());
  return impl_->write_manifest();
}

template <fingerprint::AnyFingerprint F>
void IndexDirectory<F>::query(std::span<const F> queries, int max_distance, const Sink& sink) const {
  const uint64_t columns = impl_->settings.num_columns;
  if (columns == 0) return;
  size_t current = 0;
  std::vector<Neighbour> neighbours;
  const auto hand_on = [&] {
    if (neighbours.empty()) return;
    collapse(neighbours);
    sink(current, neighbours);
    neighbours.clear();
  };
  impl_->index->view().query_batch(queries, max_distance, [&](size_t i, std::span<const hamming::Match<F>> matches) {
    if (i / columns != current) hand_on();
    current = i / columns;
    for (const hamming::Match<F>& match : matches)
      if (match.document % columns == i % columns) neighbours.push_back({match.document / columns, match.distance});
  });
  hand_on();
}

// A flush between the look at the index and that at the ids may forget one: then the documents of now are asked for.
template <fingerprint::AnyFingerprint F>
std::vector<NamedNeighbour> IndexDirectory<F>::neighbours(std::span<const F> query, int max_distance) const {
  std::vector<NamedNeighbour> found;
  uint64_t before = 0;
  do {
    found.clear();
    before = impl_->ids->times_forgotten();
    this->query(query, max_distance, [&](size_t, std::span<const Neighbour> neighbours) {
      for (const Neighbour& each : neighbours) found.push_back({id(each.document), each.distance});
    });
  } while (before != impl_->ids->times_forgotten());
  return found;
}

template <fingerprint::AnyFingerprint F>
std::string IndexDirectory<F>::id(uint64_t document) const {
  return impl_->ids->id(document);
}

template <fingerprint::AnyFingerprint F>
DirectoryFigures IndexDirectory<F>::figures() const {
  return {impl_->ids->num_live(), impl_->ids->next_document(), impl_->ids->file_bytes(),
          impl_->index->view().figures()};
}

template <fingerprint::AnyFingerprint F>
std::vector<Segment<F>> IndexDirectory<F>::segments() const {
  const View<F> view = impl_->index->view();
  return {view.segments().begin(), view.segments().end()};
}

template <fingerprint::AnyFingerprint F>
const Manifest& IndexDirectory<F>::manifest() const {
  return impl_->manifest;
}

template <fingerprint::AnyFingerprint F>
Status IndexDirectory<F>::check() const {
  const std::vector<bool> live = impl_->ids->live();
  const uint64_t columns = impl_->settings.num_columns;
  uint64_t strays = 0;
  impl_->index->view().for_each([&](F, uint64_t payload) {
    if (impl_->context.cancelled()) return;
    const bool known = columns > 0 && payload / columns < live.size() && live[payload / columns];
    strays += known ? 0 : 1;
  });
  NEARDUP_TRY(impl_->context.check_cancel());
  const auto num_live = static_cast<uint64_t>(std::count(live.begin(), live.end(), true));
  if (strays == 0 && num_live == impl_->manifest.num_documents) return {};
  return fail(Code::kCorruption,
              fmt::format("index '{}' is damaged: {} fingerprints of no document, {} documents where the manifest says "
                          "{}; restore it from a copy, or make the index again",
                          impl_->folder, strays, num_live, impl_->manifest.num_documents));
}

template class IndexDirectory<fingerprint::Fingerprint>;
template class IndexDirectory<fingerprint::Fingerprint128>;

}  // namespace neardup::store

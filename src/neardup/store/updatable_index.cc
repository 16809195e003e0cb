// Log-structured: tables take entries one at a time, full ones become segments, segments of like size are merged, and
// every step builds something new beside the old and then exchanges one pointer. So readers never wait, and nothing
// that they hold ever changes.
// Invariants of a state: all segments are older than all tables, both oldest first; only the last table grows. What a
// table or segment erases, it erases from all that is older, so only neighbours in age are merged. Segments are stored
// (commit) before they are seen.
// Memory is bounded: writers wait where too many full tables are still to be sealed. The first failure in the
// background stops all writing, and every later call returns it, until somebody says resume().
// Why it is made so, what it costs: docs/design/updates.md.
#include "neardup/store/updatable_index.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

#include "neardup/base/guard.h"
#include "neardup/store/mem_plan.h"
#include "neardup/store/update_state.h"

namespace neardup::store {

namespace {

constexpr size_t kPrefetchAhead = 8;
constexpr std::chrono::milliseconds kLookAround{20};  // for the caller's wish to stop, which wakes nobody

/// Entries on their way into a segment.
template <fingerprint::AnyFingerprint F>
struct Entries {
  std::vector<F> fingerprints;
  std::vector<uint64_t> documents;

  void push(F fingerprint, uint64_t document) {
    fingerprints.push_back(fingerprint);
    documents.push_back(document);
  }
};

}  // namespace

// Who may change what: the tables' contents and the row of tables, a writer (writing_); the row of segments, who
// commits (committing_); merges, one at a time (merging_). state_mutex_ guards the pointer and what the threads tell
// each other, and is held for moments only. Order of taking: writing_ or merging_, committing_, state_mutex_. Builds of
// the two threads stop with `stop`, those of a caller's own thread at its wish.
template <fingerprint::AnyFingerprint F>
struct UpdatableIndex<F>::Impl {
  using State = typename View<F>::State;

  UpdateOptions options;
  Commit commit;
  hamming::Plan mem_plan_of_all;

  std::mutex writing, committing;
  mutable std::mutex state_mutex;
  std::condition_variable to_do, done;
  std::shared_ptr<const State> state;
  std::shared_ptr<MemTable<F>> active;  // its last table; the writer's
  std::optional<Error> failure;         // the first in the background; nothing is written after it
  uint64_t frozen = 0, sealed = 0;      // tables so far
  bool merging = false;
  bool keeps_in_memory = false;  // the writer's
  std::atomic<uint64_t> last_number{0};
  std::atomic<bool> stop{false}, failed{false};
  std::thread sealer, merger;

  [[nodiscard]] std::shared_ptr<const State> current() const {
    const std::lock_guard lock(state_mutex);
    return state;
  }
  [[nodiscard]] Status healthy() const {
    NEARDUP_TRY(options.context.check_cancel());
    const std::lock_guard lock(state_mutex);
    if (failure) return tl::unexpected<Error>(*failure);
    return {};
  }
  // Requires: writing.
  [[nodiscard]] bool passes_over(const Error& error) const { return keeps_in_memory && error.code == Code::kDiskFull; }
  void fail_with(Error error) {
    const std::lock_guard lock(state_mutex);
    fail_locked(std::move(error));
  }
  void fail_locked(Error error) {
    if (!failure) failure = std::move(error);
    failed = true;
    to_do.notify_all();
    done.notify_all();
  }
  [[nodiscard]] std::shared_ptr<MemTable<F>> new_table() const {
    return std::make_shared<MemTable<F>>(mem_plan_of_all, options.mem_capacity);
  }

  template <class Ready>
  Status wait(std::unique_lock<std::mutex>& lock, const Ready& ready);
  Status freeze();
  Status make_room();
  Result<Segment<F>> build(const Entries<F>& entries, DocumentSet erased, const Context& context);
  Status publish(std::span<const Segment<F>> removed, std::optional<Segment<F>> added, bool table_is_sealed);
  Status seal_oldest(const State& from);
  Status merge(std::span<const Segment<F>> run, const State& from, const Context& context);
  [[nodiscard]] std::pair<size_t, size_t> due(const State& at) const;
  void start();
  void seal_in_background();
  void merge_in_background();
  Status wait_until_sealed(uint64_t target);
  [[nodiscard]] Context of_background() const { return {nullptr, &stop}; }
  [[nodiscard]] Context of_caller() const { return {nullptr, options.context.cancel}; }
  Status take_turn_to_merge();
  Status merge_until_settled(bool all, const Context& context);
  Status merge_while_due(bool all, const Context& context);
};

// Requires: `lock` holds state_mutex. Returns when `ready`, or something failed; the wish to stop makes all work fail.
template <fingerprint::AnyFingerprint F>
template <class Ready>
Status UpdatableIndex<F>::Impl::wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
  while (!done.wait_for(lock, kLookAround, [&] { return failure || ready(); })) {
    if (!options.context.cancelled()) continue;
    stop = true;
    fail_locked(options.context.check_cancel().error());
  }
  if (failure) return tl::unexpected<Error>(*failure);
  return {};
}

// Requires: writing. Readers that took the state before see the full table grow no more.
template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::freeze() {
  auto next = std::make_shared<State>();
  auto table = new_table();
  std::unique_lock lock(state_mutex);
  const Status has_room = wait(lock, [&] { return frozen - sealed < options.max_frozen; });
  if (!has_room && !passes_over(has_room.error())) return has_room;
  start();
  *next = *state;
  next->tables.push_back(table);
  active = std::move(table);
  state = std::move(next);
  ++frozen;
  to_do.notify_all();
  return {};
}

// Requires: writing.
template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::make_room() {
  if (const Status well = failed ? healthy() : Status(); !well && !passes_over(well.error())) return well;
  if (!active->full()) return {};
  return guarded([&] { return freeze(); });
}

template <fingerprint::AnyFingerprint F>
Result<Segment<F>> UpdatableIndex<F>::Impl::build(const Entries<F>& entries, DocumentSet erased,
                                                  const Context& context) {
  hamming::BuildOptions build_options;
  build_options.codec = options.codec;
  build_options.num_threads = options.num_threads;
  build_options.memory_bytes = options.memory_bytes;
  build_options.context = context;
  NEARDUP_ASSIGN(auto index, hamming::StaticIndex<F>::build(entries.fingerprints, entries.documents,
                                                            options.plan_for(entries.documents.size()), build_options));
  return Segment<F>{++last_number, std::move(index), std::move(erased)};
}

// Puts `added` in the place of `removed` (neighbours), or behind all. Stored before it is seen.
template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::publish(std::span<const Segment<F>> removed, std::optional<Segment<F>> added,
                                        bool table_is_sealed) {
  const std::lock_guard commits(committing);
  if (stop) return fail(Code::kCancelled, "stopped on request");
  // As they are now: the other thread may have added or merged since the work began. Commits take turns.
  std::vector<Segment<F>> segments = current()->segments;
  auto at = segments.end();
  if (!removed.empty()) {
    at = std::find_if(segments.begin(), segments.end(),
                      [&](const Segment<F>& segment) { return segment.number == removed.front().number; });
    at = segments.erase(at, at + static_cast<std::ptrdiff_t>(removed.size()));
  }
  if (added) segments.insert(at, std::move(*added));
  auto next = std::make_shared<State>();
  next->tables.reserve(current()->tables.size() +
                       options.max_frozen);  // nothing fails between what is stored and what is seen
  if (commit) NEARDUP_TRY(commit(segments));
  next->segments = std::move(segments);
  const std::lock_guard lock(state_mutex);
  next->tables.assign(state->tables.begin() + (table_is_sealed ? 1 : 0), state->tables.end());
  state = std::move(next);
  sealed += table_is_sealed ? 1 : 0;
  to_do.notify_all();
  done.notify_all();
  return {};
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::seal_oldest(const State& from) {
  const MemTable<F>& table = *from.tables.front();
  const MemVersion version = table.version();
  Entries<F> entries;
  table.for_each(version, [&](F fingerprint, uint64_t document) { entries.push(fingerprint, document); });
  // Its own entries are filtered already; the list is for what is older.
  DocumentSet erased(from.segments.empty() ? std::vector<uint64_t>() : table.erased_documents(version));
  if (entries.documents.empty() && erased.empty()) return publish({}, std::nullopt, true);
  NEARDUP_ASSIGN(Segment<F> segment, build(entries, std::move(erased), of_background()));
  return publish({}, std::move(segment), true);
}

// What the run erases from itself is left out now; from what is older, it goes on to erase.
template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::merge(std::span<const Segment<F>> run, const State& from, const Context& context) {
  Entries<F> entries;
  std::vector<uint64_t> erased;
  uint64_t most = 0;
  for (const Segment<F>& segment : run) most += segment.index.size();
  entries.fingerprints.reserve(most);
  entries.documents.reserve(most);
  for (size_t i = 0; i < run.size(); ++i) {
    run[i].index.for_each([&](F fingerprint, uint64_t document) {
      if (context.cancelled()) return;
      for (const Segment<F>& newer : run.subspan(i + 1))
        if (newer.erased.contains(document)) return;
      entries.push(fingerprint, document);
    });
    const auto of_segment = run[i].erased.sorted();
    erased.insert(erased.end(), of_segment.begin(), of_segment.end());
    NEARDUP_TRY(context.check_cancel());
  }
  // Nothing is older: there is nothing left to erase from.
  if (run.front().number == from.segments.front().number) erased.clear();
  if (entries.documents.empty() && erased.empty()) return publish(run, std::nullopt, false);
  NEARDUP_ASSIGN(Segment<F> segment, build(entries, DocumentSet(std::move(erased)), context));
  return publish(run, std::move(segment), false);
}

template <fingerprint::AnyFingerprint F>
std::pair<size_t, size_t> UpdatableIndex<F>::Impl::due(const State& at) const {
  std::vector<uint64_t> sizes;
  uint64_t entries = 0, erased = 0;
  for (const Segment<F>& segment : at.segments) {
    sizes.push_back(segment.index.size() + segment.erased.size());
    entries += segment.index.size();
    erased += segment.erased.size();
  }
  // Where half of all may be gone, the space is worth a merge of all.
  if (sizes.size() > 1 && 2 * erased > entries) return {0, sizes.size()};
  return pick_merge(sizes, options.merge);
}

// Where the system gives one thread but not the other, the next full table asks for the other again.
template <fingerprint::AnyFingerprint F>
void UpdatableIndex<F>::Impl::start() {
  if (!sealer.joinable()) sealer = std::thread([this] { seal_in_background(); });
  if (!merger.joinable()) merger = std::thread([this] { merge_in_background(); });
}

template <fingerprint::AnyFingerprint F>
void UpdatableIndex<F>::Impl::seal_in_background() {
  while (true) {
    std::unique_lock lock(state_mutex);
    to_do.wait(lock, [&] { return stop || failure || frozen > sealed; });
    if (stop || failure) return;
    const std::shared_ptr<const State> from = state;
    lock.unlock();
    if (Status status = guarded([&] { return seal_oldest(*from); }); !status) fail_with(std::move(status).error());
  }
}

template <fingerprint::AnyFingerprint F>
void UpdatableIndex<F>::Impl::merge_in_background() {
  for (bool goes_on = true; goes_on;) {
    Status status = guarded([&] {
      std::unique_lock lock(state_mutex);
      to_do.wait(lock, [&] { return stop || failure || due(*state).first < due(*state).second; });
      goes_on = !stop && !failure;
      lock.unlock();
      return goes_on ? merge_until_settled(false, of_background()) : Status();
    });
    if (!status) fail_with(std::move(status).error());
  }
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::take_turn_to_merge() {
  std::unique_lock lock(state_mutex);
  NEARDUP_TRY(wait(lock, [&] { return !merging; }));
  merging = true;
  return {};
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::merge_until_settled(bool all, const Context& context) {
  NEARDUP_TRY(take_turn_to_merge());
  const Status status = guarded([&] { return merge_while_due(all, context); });
  const std::lock_guard lock(state_mutex);
  merging = false;
  done.notify_all();
  return status;
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::merge_while_due(bool all, const Context& context) {
  while (true) {
    NEARDUP_TRY(healthy());
    // Merges take turns, so these segments are still there when the merge is done; newer ones may have come.
    const std::shared_ptr<const State> from = current();
    auto [first, last] = due(*from);
    if (all) std::tie(first, last) = std::pair(size_t{0}, from->segments.size());
    if (first == last) return {};
    const std::span<const Segment<F>> together = std::span(from->segments).subspan(first, last - first);
    NEARDUP_TRY(merge(together, *from, context));
    if (all) return {};
  }
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::Impl::wait_until_sealed(uint64_t target) {
  std::unique_lock lock(state_mutex);
  return wait(lock, [&] { return sealed >= target; });
}

template <fingerprint::AnyFingerprint F>
UpdatableIndex<F>::UpdatableIndex(UpdateOptions options, std::vector<Segment<F>> segments, Commit commit)
    : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  impl_->commit = std::move(commit);
  impl_->mem_plan_of_all = mem_plan(fingerprint::kBitsOf<F>, impl_->options.max_distance, impl_->options.mem_capacity);
  for (const Segment<F>& segment : segments) impl_->last_number = std::max(impl_->last_number.load(), segment.number);
  auto state = std::make_shared<typename Impl::State>();
  state->segments = std::move(segments);
  state->tables.push_back(impl_->active = impl_->new_table());
  impl_->state = std::move(state);
}

// A failed thread has ended; the other one ends when it looks.
template <fingerprint::AnyFingerprint F>
void UpdatableIndex<F>::resume() {
  const std::lock_guard writes(impl_->writing);
  if (!impl_->failed || impl_->stop) return;
  if (impl_->sealer.joinable()) impl_->sealer.join();
  if (impl_->merger.joinable()) impl_->merger.join();
  const std::lock_guard lock(impl_->state_mutex);
  impl_->start();  // where the system gives no thread it is as before: who flushes would wait for ever
  impl_->failure.reset();
  impl_->failed = false;
}

template <fingerprint::AnyFingerprint F>
void UpdatableIndex<F>::keep_in_memory(bool keeps) {
  const std::lock_guard writes(impl_->writing);
  impl_->keeps_in_memory = keeps;
}

template <fingerprint::AnyFingerprint F>
UpdatableIndex<F>::~UpdatableIndex() {
  {
    const std::lock_guard lock(impl_->state_mutex);
    impl_->stop = true;
    impl_->to_do.notify_all();
  }
  if (impl_->sealer.joinable()) impl_->sealer.join();
  if (impl_->merger.joinable()) impl_->merger.join();
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::insert(std::span<const F> fingerprints, std::span<const uint64_t> documents) {
  const std::lock_guard lock(impl_->writing);
  for (size_t done = 0; done < fingerprints.size();) {
    NEARDUP_TRY(impl_->make_room());
    MemTable<F>& table = *impl_->active;
    const size_t end = std::min<size_t>(fingerprints.size(), done + table.capacity() - table.version().inserted);
    for (; done < end; ++done) {
      if (done + kPrefetchAhead < end) table.prefetch(fingerprints[done + kPrefetchAhead]);
      table.insert(fingerprints[done], documents[done]);
    }
  }
  return {};
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::erase(std::span<const uint64_t> documents) {
  const std::lock_guard lock(impl_->writing);
  for (const uint64_t document : documents) {
    NEARDUP_TRY(impl_->make_room());
    impl_->active->erase(document);
  }
  return {};
}

// What does not fit any more goes to the next table, which a view has or has not as a whole.
template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::replace(std::span<const uint64_t> erased, std::span<const F> fingerprints,
                                  std::span<const uint64_t> documents) {
  if (std::max(erased.size(), fingerprints.size()) > impl_->options.mem_capacity) std::abort();
  const std::lock_guard lock(impl_->writing);
  NEARDUP_TRY(impl_->make_room());
  if (!impl_->active->has_room(fingerprints.size(), erased.size()))
    NEARDUP_TRY(guarded([&] { return impl_->freeze(); }));
  impl_->active->replace(erased, fingerprints, documents);
  return {};
}

template <fingerprint::AnyFingerprint F>
View<F> UpdatableIndex<F>::view() const {
  View<F> view;
  view.state_ = impl_->current();
  view.version_ = view.state_->tables.back()->version();
  return view;
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::flush() {
  uint64_t target = 0;
  {
    const std::lock_guard lock(impl_->writing);
    NEARDUP_TRY(impl_->healthy());
    if (impl_->active->version() != MemVersion{}) NEARDUP_TRY(guarded([&] { return impl_->freeze(); }));
    target = impl_->frozen;
  }
  return impl_->wait_until_sealed(target);
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::settle() {
  NEARDUP_TRY(flush());
  return impl_->merge_until_settled(false, impl_->of_caller());
}

template <fingerprint::AnyFingerprint F>
Status UpdatableIndex<F>::compact() {
  NEARDUP_TRY(flush());
  return impl_->merge_until_settled(true, impl_->of_caller());
}

template class UpdatableIndex<fingerprint::Fingerprint>;
template class UpdatableIndex<fingerprint::Fingerprint128>;

}  // namespace neardup::store

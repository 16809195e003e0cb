// The bodies of Searcher, for the sources that instantiate it.
//
// A query is some dozens of lines of memory at random places, and everything here is made to have them on their way
// together: first all directories of the steps to come, then their windows, then the words; candidates wait and are
// confirmed together, in three passes that each ask for what the next one reads.
// Each match once, without a set of seen ones: table t gives a match out only if it must meet it, that is if its prefix
// differs in at most its flips, and no earlier table must. By completeness some table must, so the first such gives it
// (docs/hamming.md, "Each once" and "Plans"). A table that knows only part of a key drops what it can tell by that; the
// decision is made on the whole fingerprint.
// What stands in memory: docs/design/hamming_index.md, "A query".
#pragma once

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "neardup/base/per_thread.h"
#include "neardup/hamming/key_scan.h"
#include "neardup/hamming/searcher.h"

namespace neardup::hamming {

// Most machines count ones in one instruction, but those that every program runs on do not: there it is a call.
template <fingerprint::AnyFingerprint F>
[[nodiscard]] bool has_at_most(F value, int ones) {
  for (; ones > 0; --ones) value &= value - 1;
  return value == 0;
}

template <fingerprint::AnyFingerprint F, class Table>
Searcher<F, Table>::Searcher(const Plan& plan, std::vector<Table> tables) : tables_(std::move(tables)) {
  for (size_t t = 0; t < tables_.size(); ++t) {
    const TableLayout& layout = plan.tables[t];
    TablePart part{.order = KeyOrder<F>(layout.order), .flips = layout.flips, .search = {tables_[t], layout}};
    // A key has the first places on top; value_of() turns such masks into masks of a fingerprint.
    const F prefix = static_cast<F>(~low_ones<F>(kBits - layout.prefix_bits));
    part.known = static_cast<F>(~low_ones<F>(kBits - tables_[t].known_bits()));
    part.prefix = part.order.value_of(prefix);
    part.key_prefix = prefix & part.known;
    const KeyOrder<F>& first = t == 0 ? part.order : parts_.front().order;
    part.first_known = first.key_of(part.order.value_of(part.known));
    const int first_bits = tables_.front().known_bits();
    while (part.first_places < first_bits && (part.first_known >> (kBits - 1 - part.first_places) & 1) != 0) {
      ++part.first_places;
    }
    const F known = part.order.value_of(part.known);
    for (const TablePart& earlier : parts_) {
      // Even if all the places that this table does not know differed: then the earlier one meets it for certain.
      const int unknown = fingerprint::count_ones<F>(earlier.prefix & static_cast<F>(~known));
      if (unknown <= earlier.flips) part.before.push_back({earlier.prefix & known, earlier.flips - unknown});
    }
    parts_.push_back(std::move(part));
  }
}

// All steps of all queries, one behind the other: while one is read, the buckets of the next few are on their way, and
// for the few after those, where the buckets are. How many steps that is depends on how many buckets they have.
template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::find(Run& run) const {
  // Farther ahead is slower: with 144 and 96 ten tables took 2.2 instead of 1.05 us at 10^7 (bench/DEAD_ENDS.md).
  constexpr uint64_t kAsked = 48, kLocated = 24;  // windows ahead of the step that is read
  std::array<Slot, 32> slots;
  const auto slot_of = [&](uint64_t step) -> Slot& { return slots[step % slots.size()]; };
  Place next;
  uint64_t asked = 0, located = 0, scanned = 0;  // steps
  uint64_t windows_asked = 0, windows_located = 0, windows_scanned = 0;
  // Steps are asked for, located and scanned in one order, so a ring of slots holds all that are on their way.
  for (;; ++scanned) {
    for (;
         windows_asked <= windows_scanned + kAsked && asked < scanned + slots.size() && next.query < run.queries.size();
         ++asked) {
      Slot& slot = slot_of(asked);
      const TablePart& part = parts_[next.table];
      slot.place = next;
      slot.key = part.order.key_of(run.queries[next.query]);
      slot.windows = std::min<uint64_t>(kStepWindows, part.search.num_windows() - next.first);
      part.search.prefetch(slot.key, next.first);
      windows_asked += slot.windows;
      advance(next);
    }
    for (; located < asked && windows_located <= windows_scanned + kLocated; ++located) {
      Slot& slot = slot_of(located);
      parts_[slot.place.table].search.locate(slot.key, slot.place.first, run.max_distance, slot.step);
      windows_located += slot.windows;
    }
    // Nothing is left to ask for, or more would be located.
    if (scanned == located) return;
    const Slot& slot = slot_of(scanned);
    collect(run, slot.place.query, slot.place.table, slot.key, slot.step);
    windows_scanned += slot.windows;
  }
}

// All steps of a table, all tables of a query, then the next query.
template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::advance(Place& place) const {
  place.first += kStepWindows;
  if (place.first < parts_[place.table].search.num_windows()) return;
  place.first = 0;
  if (++place.table < parts_.size()) return;
  place.table = 0;
  ++place.query;
}

template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::collect(Run& run, uint32_t query, uint32_t table, F key,
                                 const typename TableSearch<F, Table>::Step& step) const {
  const TablePart& part = parts_[table];
  std::vector<TableCandidate<F>>& candidates = run.scratch.candidates;
  candidates.clear();
  part.search.scan(key, step, run.scratch.table, candidates);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const TableCandidate<F>& candidate = candidates[i];
    // A kernel may return more than was asked for.
    if (!has_at_most<F>((candidate.key ^ key) & part.key_prefix, part.flips)) continue;
    // Of keys that are equal as far as the table knows, the first stands for all.
    if (table > 0 && i > 0 && candidate.key == candidates[i - 1].key) continue;
    if (run.scratch.pending.size() == kConfirmedAtOnce) confirm(run);
    if (table == 0) {
      run.records.prefetch(candidate.rank);
      run.scratch.pending.push_back({query, table, candidate, candidate.key});
    } else {
      const F fingerprint = part.order.value_of(candidate.key);  // as far as it is known
      const auto meets = [difference = fingerprint ^ run.queries[query]](const Before& before) {
        return has_at_most<F>(difference & before.bits, before.ones);
      };
      if (std::any_of(part.before.begin(), part.before.end(), meets)) continue;
      // The known places, in the order of the first table: its head leads there, as the build has ordered what follows
      // a prefix.
      const F first_key = parts_.front().order.key_of(fingerprint);
      parts_.front().search.prefetch_equal(first_key, part.first_places);
      run.scratch.pending.push_back({query, table, candidate, first_key});
    }
  }
}

// Finds where the first table holds a candidate, and asks the memory for its record.
template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::rank(Run& run, uint32_t number) const {
  const Pending& pending = run.scratch.pending[number];
  const TablePart& part = parts_[pending.table];
  const TablePart& first = parts_.front();
  if (pending.table == 0) {
    run.scratch.ranked.push_back({number, pending.candidate.rank, pending.candidate.key});
    return;
  }
  const auto visit = [&](uint64_t rank, F key) {
    run.records.prefetch(rank);
    run.scratch.ranked.push_back({number, rank, key});
  };
  first.search.for_equal(pending.first_key, part.first_known & first.known, part.first_places, run.scratch.table,
                         visit);
}

// Confirms what is pending. Of queries with many candidates some at a time, so that they do not fill the caches.
template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::confirm(Run& run) const {
  run.scratch.ranked.clear();
  for (uint32_t i = 0; i < run.scratch.pending.size(); ++i) rank(run, i);
  for (const Ranked& ranked : run.scratch.ranked) confirm_rank(run, ranked);
  run.scratch.pending.clear();
}

template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::confirm_rank(Run& run, const Ranked& ranked) const {
  const Pending& pending = run.scratch.pending[ranked.pending];
  const TablePart& part = parts_[pending.table];
  const F fingerprint = parts_.front().order.value_of(ranked.key | run.records.rest(ranked.rank));
  // Several keys of the first table may share the places that led here.
  if (((part.order.key_of(fingerprint) ^ pending.candidate.key) & part.known) != 0) return;
  const F difference = fingerprint ^ run.queries[pending.query];
  const int distance = fingerprint::count_ones<F>(difference);
  if (distance > run.max_distance || !is_first_to_meet(pending.table, difference)) return;
  // A fingerprint of many documents is compared once.
  const size_t before = run.matches.size();
  run.records.for_documents(ranked.rank, [&](uint64_t document) {
    run.matches.push_back({document, fingerprint, distance});
  });
  run.num_matches[pending.query] += run.matches.size() - before;
}

template <fingerprint::AnyFingerprint F, class Table>
bool Searcher<F, Table>::is_first_to_meet(uint32_t table, F difference) const {
  const auto meets = [&](uint32_t t) { return has_at_most<F>(difference & parts_[t].prefix, parts_[t].flips); };
  for (uint32_t t = 0; t < table; ++t) {
    if (meets(t)) return false;
  }
  return meets(table);  // it may know less of a key than its prefix
}

// One query alone takes the way of a batch, with its few steps; scratch stays with the thread.
template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::query(const Records<F>& records, F query, int max_distance,
                               std::vector<Match<F>>& matches) const {
  static PerThread<Scratch> scratches;
  Scratch& scratch = scratches.get();
  scratch.pending.clear();  // of a query that ran out of memory on this thread
  uint64_t num_matches = 0;
  Run run{records, {&query, 1}, max_distance, scratch, matches, {&num_matches, 1}};
  find(run);
  confirm(run);
}

template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::query_batch(const Records<F>& records, std::span<const F> queries, int max_distance,
                                     const typename StaticIndex<F>::Sink& sink) const {
  Scratch scratch;
  std::vector<Match<F>> matches;
  for (size_t begin = 0; begin < queries.size(); begin += kQueriesAtOnce) {
    const auto some = queries.subspan(begin, std::min(kQueriesAtOnce, queries.size() - begin));
    std::array<uint64_t, kQueriesAtOnce> num_matches{};
    matches.clear();
    Run run{records, some, max_distance, scratch, matches, num_matches};
    find(run);
    confirm(run);
    // Matches stand in the order of the queries, as candidates are confirmed in that order.
    std::span<const Match<F>> left(matches);
    for (size_t query = 0; query < some.size(); ++query) {
      if (num_matches[query] == 0) continue;
      sink(begin + query, left.first(num_matches[query]));
      left = left.subspan(num_matches[query]);
    }
  }
}

template <fingerprint::AnyFingerprint F, class Table>
void Searcher<F, Table>::for_each(const Records<F>& records, const std::function<void(F, uint64_t)>& visit) const {
  const Table& first = tables_.front();
  std::vector<F> keys(1024);
  for (uint64_t begin = 0; begin < first.size(); begin += keys.size()) {
    const uint64_t size = std::min<uint64_t>(keys.size(), first.size() - begin);
    if constexpr (requires { first.read_keys(begin, std::span<F>(keys)); }) {
      first.read_keys(begin, std::span<F>(keys).first(size));
    } else {
      for (uint64_t i = 0; i < size; ++i) keys[i] = first.key_at(begin + i);
    }
    for (uint64_t i = 0; i < size; ++i) {
      const F fingerprint = parts_.front().order.value_of(keys[i] | records.rest(begin + i));
      records.for_documents(begin + i, [&](uint64_t document) { visit(fingerprint, document); });
    }
  }
}

// Among keys of equal known places the others ascend with the rank.
template <fingerprint::AnyFingerprint F, class Table>
bool Searcher<F, Table>::contains(const Records<F>& records, F fingerprint, uint64_t document) const {
  const TablePart& first = parts_.front();
  const F key = first.order.key_of(fingerprint);
  const F rest = key & static_cast<F>(~first.known);
  auto [low, high] = tables_.front().equal_range(key, tables_.front().known_bits());
  while (low < high) {
    const uint64_t middle = std::midpoint(low, high);
    const F found = records.rest(middle);
    if (found == rest) return records.contains(middle, document);
    (found < rest ? low : high) = found < rest ? middle + 1 : middle;
  }
  return false;
}

}  // namespace neardup::hamming

// Queries over the tables of a plan, all of one codec.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/hamming/key_order.h"
#include "neardup/hamming/records.h"
#include "neardup/hamming/static_index.h"
#include "neardup/hamming/table_search.h"

namespace neardup::hamming {

/// Finds candidates in each table, confirms them against the whole fingerprints, and gives each match once: from the
/// first table that must meet it. Threads: any number of readers.
template <fingerprint::AnyFingerprint F, class Table>
class Searcher {
 public:
  /// The tables in the order of the plan. Requires: at least one.
  Searcher(const Plan& plan, std::vector<Table> tables);
  Searcher(Searcher&&) noexcept = default;

  [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }

  void query(const Records<F>& records, F query, int max_distance, std::vector<Match<F>>& matches) const;
  void query_batch(const Records<F>& records, std::span<const F> queries, int max_distance,
                   const typename StaticIndex<F>::Sink& sink) const;
  void for_each(const Records<F>& records, const std::function<void(F, uint64_t)>& visit) const;
  [[nodiscard]] bool contains(const Records<F>& records, F fingerprint, uint64_t document) const;

 private:
  static constexpr int kBits = fingerprint::kBitsOf<F>;
  static constexpr size_t kQueriesAtOnce = 64;
  static constexpr size_t kConfirmedAtOnce = 1024;

  // A table before another: it meets what has at most so many ones in these bits of a fingerprint.
  struct Before {
    F bits;
    int ones;
  };
  struct TablePart {
    KeyOrder<F> order;
    F prefix = 0;          // its prefix, in a fingerprint
    F key_prefix = 0;      // and in a key, as far as known
    F known = 0;           // known places of a key
    F first_known = 0;     // the same places in a key of the first table
    int first_places = 0;  // how many of that key's leading places they are
    int flips = 0;
    std::vector<Before> before{};  // tables of which the known places alone can tell that they meet a key
    TableSearch<F, Table> search;
  };
  struct Pending {
    uint32_t query;  // its number in the run
    uint32_t table;
    TableCandidate<F> candidate;
    F first_key;  // what is known of its key in the first table
  };
  struct Ranked {
    uint32_t pending;  // its number
    uint64_t rank;     // in the first table
    F key;             // known there
  };
  struct Scratch {
    std::vector<TableCandidate<F>> candidates;  // of the step at hand
    std::vector<Pending> pending;               // not yet confirmed, kConfirmedAtOnce at most
    std::vector<Ranked> ranked;                 // the same with their places in the first table
    typename TableSearch<F, Table>::Scratch table;
  };
  struct Run {
    const Records<F>& records;
    std::span<const F> queries;
    int max_distance;
    Scratch& scratch;
    std::vector<Match<F>>& matches;   // in the order of the queries
    std::span<uint64_t> num_matches;  // of each query
  };

  // Where the walk is: a step of a query in a table.
  struct Place {
    uint32_t query = 0;
    uint32_t table = 0;
    uint64_t first = 0;  // window of the table that the step begins with
  };
  struct Slot {
    Place place;
    F key;
    uint64_t windows;  // of the step
    typename TableSearch<F, Table>::Step step;
  };

  // find() walks all steps and leaves candidates pending; confirm() turns them into matches: first where the first
  // table holds each, then by its record.
  void find(Run& run) const;
  void advance(Place& place) const;
  void collect(Run& run, uint32_t query, uint32_t table, F key, const typename TableSearch<F, Table>::Step& step) const;
  void confirm(Run& run) const;
  void rank(Run& run, uint32_t number) const;
  void confirm_rank(Run& run, const Ranked& ranked) const;
  // The rule that gives each match once; see searcher_impl.h.
  [[nodiscard]] bool is_first_to_meet(uint32_t table, F difference) const;

  std::vector<Table> tables_;     // as the plan has them; the first has the records
  std::vector<TablePart> parts_;  // [table]; its search points to the table
};

}  // namespace neardup::hamming

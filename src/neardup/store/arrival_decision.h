// What becomes of a document that comes to a store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/candidates.h"
#include "neardup/store/document_store.h"
#include "neardup/store/store_state.h"
#include "neardup/store/stored_view.h"

namespace neardup::store {

/// By whom candidates are compared, and how many at most; 0: all. The judge must outlive it.
struct BoundedJudge {
  const Judge& judge;
  uint64_t most_compared = 0;
};

struct ArrivalDecision {
  Answer answer;                  // without its own number where it did not come before
  std::optional<uint64_t> known;  // the document with its id that it sees
  std::vector<uint64_t> same_id;  // all with its id: StoreState::take_place(), unless the answer is a repeated one
  std::optional<uint64_t> equal;  // the document with its text of which it has its fate
  std::vector<uint64_t> passages = {};     // that are recorded of it
  std::vector<uint64_t> holders = {};      // who was found to have its passages, ascending
  bool has_learnt = false;                 // it rests on who shares a key with it
  std::vector<uint64_t> learnt_from = {};  // those that were looked at
  std::string remembered = {};             // the body by which it is remembered, where it is
  std::vector<uint32_t> crowded = {};      // Candidates::crowded
  std::vector<uint64_t> crowd = {};        // who shares a key with it, where any is crowded
};

/// Returns the documents with the id of `arriving`, ascending, out of those that may have it. Errors: of reading.
[[nodiscard]] Result<std::vector<uint64_t>> find_same_id(const StoredView& view, const Record& arriving,
                                                         const Candidates& candidates);

/// Returns what reads documents of the category of `arriving`; both must outlive it.
[[nodiscard]] Judge::ReadStored reader_of(const StoredView& view, const Record& arriving);

/// Decides by what `view` shows: by its id, its text, whom it is near and who contains it, in this order
/// (Store::check_and_insert()).
/// Threads: as the view; where others change what it shows meanwhile, still_holds() tells whether that matters. Errors:
/// of reading, those of the judge.
[[nodiscard]] Result<ArrivalDecision> decide_arrival(const StoredView& view, const Record& arriving,
                                                     const Candidates& candidates, const BoundedJudge& bounded);

/// Returns whether the same would be decided now: false where it may not. `stamp` was taken before the candidates were
/// looked up; `keys` are those of documents[i]. Threads: those that change the state.
[[nodiscard]] bool still_holds(const StoreState& state, const StateStamp& stamp, const ArrivalDecision& decision,
                               const Record& arriving, const DocumentKeys& keys, size_t i);

}  // namespace neardup::store

// What becomes of a document that comes to a store.
#pragma once

#include <cstdint>
#include <optional>

#include "neardup/base/result.h"
#include "neardup/store/document_store.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

struct ArrivalDecision {
  Answer answer;                     // without its own number where it did not come before
  std::optional<uint64_t> replaced;  // the document whose place it takes
};

/// Decides by what `state` holds: by its id, its text, and whom it is near, in this order (Store::check_and_insert()).
/// Threads: any; nobody else may change the state meanwhile where the answer is to be kept to. Errors: of reading,
/// those of `judge`.
[[nodiscard]] Result<ArrivalDecision> decide_arrival(const StoreState& state, const Record& arriving,
                                                     const Judge& judge);

}  // namespace neardup::store

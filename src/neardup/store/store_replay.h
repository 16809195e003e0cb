// What a restart reads again: the logs that no checkpoint has moved to files.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/store/checkpointer.h"
#include "neardup/store/store_manifest.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// From where the next log goes on.
struct Replayed {
  uint64_t next_log = 0;
  uint64_t last_sequence = 0;  // of what counts
  uint64_t next_number = 0;    // of a document
  bool any = false;            // there is something for a checkpoint to move
};

/// Brings `state`, which holds what `manifest` names, to where the logs of `folder` end, and tells `checkpointer` of
/// them: they are closed, so that nothing is written behind what a crash has left. Errors: those of read_logs(),
/// kMemory; those of a checkpoint where there are many logs and `moves` allows it.
enum class Moves { kNothing, kOldLogs };
[[nodiscard]] Result<Replayed> replay_logs(const std::string& folder, const StoreManifest& manifest, StoreState& state,
                                           Checkpointer& checkpointer, Moves moves = Moves::kOldLogs);

}  // namespace neardup::store

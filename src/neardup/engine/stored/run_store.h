// RunStore: the store that a run reduces its inputs against, and whose settings are the run's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "neardup/base/context.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/engine/options.h"

namespace neardup::engine {

/// Holds the lock of a store in a folder while it lives.
struct RunStore {
  std::string folder;                // or its URI
  bool takes_kept = false;           // what is kept becomes part of it
  std::unique_ptr<TextStore> texts;  // null: it is not there yet, and made of what is kept

  /// Returns what an open one keeps in memory, of this machine or the server's.
  [[nodiscard]] uint64_t size_bytes() const;
};

/// Returns whether a path is the folder of a store, or the URI of one on a server; whether it is there is not asked.
[[nodiscard]] bool is_store_of_texts(const std::string& path);

/// Returns how a run opens a store: what it keeps in memory fits into options.memory_bytes.
[[nodiscard]] store::StoreOptions store_options(const DedupOptions& options, const Context& context);

/// Errors: kMismatch, with the flag to be left out, where `options` name another recipe, family, distance, rule,
/// counts or share of contained documents than the store has; of reading the files that they name.
[[nodiscard]] Status check_same_settings(const DedupOptions& options, const std::string& folder,
                                         const TextStore& texts);

/// The same of what a store keeps of its documents; nothing is asked where they are empty.
[[nodiscard]] Status check_same_kept(std::optional<RecordsKept> records, std::optional<bool> keep_texts,
                                     const std::string& folder, const TextStore& texts);

/// Opens the store that `options` name in `into` or among `references`, which it leaves; nothing where they name none.
/// Where it is there, its recipe, family, rule, distance, counts and share become those of `options`; where it is not,
/// family and distance are settled. Errors: those of TextStore::open(), among them kIo where another process has it
/// open; kMismatch where `options` name another recipe, rule, ...; kUnsupported for what a store cannot do (components,
/// pairs, categories, shards, a store that keeps no tokens, two stores); kInvalidArgument where `into` is a folder of
/// something else; those of make_matcher() where a store could not be made; kMemory.
[[nodiscard]] Result<std::optional<RunStore>> open_run_store(DedupOptions& options, const Context& context);
/// Makes the store of a run that has none yet; where another process has made one on the server meanwhile, opens that
/// one. Errors: those of TextStore::create(); kMismatch where that one has other settings than the run.
[[nodiscard]] Status make_run_store(RunStore& store, const TextStoreSettings& settings, const DedupOptions& options,
                                    const Context& context);

}  // namespace neardup::engine

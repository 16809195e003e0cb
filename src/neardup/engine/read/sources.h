// Sources: which files a run reads, found once and checked against where it writes.
#pragma once

#include <optional>
#include <vector>

#include "neardup/corpus/corpus.h"
#include "neardup/engine/options.h"
#include "neardup/engine/work_folder.h"

namespace neardup::engine {

/// The inputs of a run, in the order in which documents are numbered: references, then inputs. all() are those that
/// are files.
struct Sources {
  std::vector<corpus::Input> references;
  std::vector<corpus::Input> inputs;
  std::optional<corpus::Input>
      store;  // stands for a store, whose documents come before all; as an input it is the last
  [[nodiscard]] std::vector<corpus::Input> all() const;
};

[[nodiscard]] bool reads_standard_input(const DedupOptions& options);

/// Finds references and inputs; standard input is copied to folder.stdin_copy() first.
/// The store of options.into or options.reference_store is one of them.
/// Errors: those of corpus::discover and spool; kInvalidArgument where a source lies among the results that the run
/// would write or replace, where it is a folder that would then hold them or that holds those of another run, where a
/// file is both reference and input, or where standard input is asked for twice; kUnsupported where --mode annotate
/// meets a format that cannot take notes.
[[nodiscard]] Result<Sources> find_sources(const DedupOptions& options, const WorkFolder& folder,
                                           const Context& context);

}  // namespace neardup::engine

// Columns of texts on their way to fingerprints or signatures.
#pragma once

#include <cstdint>
#include <functional>

#include "column_rows.h"
#include "matching.h"
#include "neardup/base/context.h"
#include "neardup/engine/options.h"
#include "neardup/fingerprint/file.h"

namespace neardup::python {

/// Returns the options of values that are kept: the recipe's family is settled. Raises InvalidArgument.
[[nodiscard]] engine::DedupOptions options_for_values(const MatchingWords& words, uint64_t memory_bytes,
                                                      int num_threads);

/// Who receives the values of texts.
struct TextPassReceiver {
  std::function<void(const recipe::Recipe& recipe)> begin;                      // once, with the IDF that it took
  std::function<Status(uint64_t row, const fingerprint::Record& record)> take;  // each that is a document, in order
};

/// Fingerprints the texts of rows. Errors: those of the receiver; of the file of the IDF; kMemory, kCancelled.
[[nodiscard]] Status run_text_pass(const ColumnRows& rows, const engine::DedupOptions& options, const Context& context,
                                   const TextPassReceiver& receiver);

}  // namespace neardup::python

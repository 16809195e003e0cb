#include "text_pass.h"

#include "errors.h"
#include "neardup/api/options_of.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/engine/fingerprints/pass.h"
#include "neardup/engine/read/idf_pass.h"

namespace neardup::python {

engine::DedupOptions options_for_values(const MatchingWords& words, uint64_t memory_bytes, int num_threads) {
  engine::DedupOptions options = value_of(options_of(matching_of(words)));
  options.memory_bytes = memory_bytes;
  options.num_threads = num_threads;
  value_of(engine::take_kept_family(options.family, !options.idf_file.empty(), options.recipe));
  return options;
}

Status run_text_pass(const ColumnRows& rows, const engine::DedupOptions& options, const Context& context,
                     const TextPassReceiver& receiver) {
  engine::FingerprintPass pass{.inputs = {corpus::input_of_rows(rows, "rows")},
                               .recipe = options.recipe,
                               .num_threads = options.num_threads,
                               .context = context};
  pass.read.max_record_bytes = corpus::kMostRecordBytes;  // they are in memory already
  NEARDUP_ASSIGN(pass.idf, engine::provide_idf(pass.recipe, options.idf_file, pass.inputs, pass.read,
                                               {options.num_threads, options.memory_bytes}, context));
  receiver.begin(pass.recipe);
  uint64_t row = 0;
  pass.on_document = [&](const fingerprint::Record& record) {
    while (rows.is_missing(row)) ++row;
    return receiver.take(row++, record);
  };
  NEARDUP_TRY(engine::run_fingerprint_pass(pass));
  return {};
}

}  // namespace neardup::python

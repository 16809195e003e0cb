#include "neardup/api/dedup.h"

#include "neardup/api/field_words.h"
#include "neardup/api/options_of.h"
#include "neardup/corpus/rows.h"
#include "neardup/engine/run/dedup.h"
#include "neardup/engine/run/dedup_documents.h"
#include "neardup/report/figures.h"
#include "neardup/report/warnings.h"

namespace neardup {
namespace {

Result<engine::DedupOptions> options_of_files(const DedupFiles& files) {
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(files.matching));
  options.inputs = files.inputs;
  options.references = files.references;
  options.into = files.into;
  options.output = files.output;
  options.read.text_key = files.text_key;
  options.read.id_key = files.id_key;
  NEARDUP_ASSIGN(options.read.table, corpus::parse_dialect(files.table));
  NEARDUP_TRY(take_choices(files, options));
  options.read.within_key = files.within_key;
  options.read.group_key = files.group_key;
  options.overwrite = files.overwrite;
  options.memory_bytes = files.memory_bytes;
  options.num_threads = files.num_threads;
  return options;
}

Fate::Kind kind_of(engine::RowFate::Kind kind) {
  switch (kind) {
    case engine::RowFate::Kind::kExact:
      return Fate::Kind::kExact;
    case engine::RowFate::Kind::kNear:
      return Fate::Kind::kNear;
    case engine::RowFate::Kind::kContained:
      return Fate::Kind::kContained;
    case engine::RowFate::Kind::kRejected:
      return Fate::Kind::kRejected;
    case engine::RowFate::Kind::kKept:
      break;
  }
  return Fate::Kind::kKept;
}

Fate fate_of(const engine::RowFate& row) {
  return {.kind = kind_of(row.kind),
          .kept = row.duplicate_of,
          .similarity = row.similarity,
          .distance = row.distance ? int{*row.distance} : -1};
}

Result<DedupCounts> counts_of_files(const DedupFiles& files, const Context& context) {
  NEARDUP_ASSIGN(const engine::DedupOptions options, options_of_files(files));
  NEARDUP_ASSIGN(const report::Report report, engine::dedup(options, context));
  const report::Tally& total = report.total;
  std::vector<std::string> warnings = report::all_warnings(report);
  for (std::string& warning : warnings) warning = in_field_words(warning);
  return DedupCounts{.read = total.read,
                     .kept = total.kept,
                     .exact = total.exact,
                     .near = total.near,
                     .contained = total.contained,
                     .rejected = total.rejected,
                     .clusters = report.num_clusters,
                     .added = report.store ? report.store->num_added : 0,
                     .warnings = std::move(warnings)};
}

Result<std::vector<Fate>> fates_of_texts(std::span<const std::string_view> texts, const DedupTexts& texts_options,
                                         const Context& context) {
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(texts_options.matching));
  NEARDUP_TRY(take_choices(texts_options, options));
  options.memory_bytes = texts_options.memory_bytes;
  options.read.max_record_bytes = corpus::kMostRecordBytes;  // they are in memory already
  options.num_threads = texts_options.num_threads;
  const corpus::RowsOf rows(texts, [](std::string_view text) { return corpus::TextRow{"", text}; });
  NEARDUP_ASSIGN(const engine::RowFates found,
                 engine::dedup_documents(rows, nullptr, options, context, texts_options.work_folder));
  std::vector<Fate> fates;
  fates.reserve(found.rows.size());
  for (const engine::RowFate& row : found.rows) fates.push_back(fate_of(row));
  return fates;
}

}  // namespace

Result<DedupCounts> dedup_files(const DedupFiles& files, const Context& context) {
  return in_field_words(counts_of_files(files, context));
}

Result<std::vector<Fate>> dedup_texts(std::span<const std::string_view> texts, const DedupTexts& options,
                                      const Context& context) {
  return in_field_words(fates_of_texts(texts, options, context));
}

}  // namespace neardup

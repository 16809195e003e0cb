#include "neardup/engine/run/row_fates.h"

#include "neardup/cluster/candidate.h"
#include "neardup/engine/write/clusters.h"

namespace neardup::engine {
namespace {

RowFate::Kind kind_of(Fate fate) {
  if (fate == Fate::kExact) return RowFate::Kind::kExact;
  if (fate == Fate::kContained) return RowFate::Kind::kContained;
  return fate == Fate::kNear ? RowFate::Kind::kNear : RowFate::Kind::kKept;
}

void count(RowFates& fates) {
  for (const RowFate& fate : fates.rows) {
    fates.num_kept += fate.kind == RowFate::Kind::kKept;
    fates.num_exact += fate.kind == RowFate::Kind::kExact;
    fates.num_near += fate.kind == RowFate::Kind::kNear;
    fates.num_contained += fate.kind == RowFate::Kind::kContained;
    fates.num_rejected += fate.kind == RowFate::Kind::kRejected;
  }
}

}  // namespace

// Rows are numbered as lines are.
uint64_t row_of_document(const Documents& documents, uint32_t document) {
  return documents.batches()[documents.batch_of(document)].first_line + documents.row(document).line;
}

RowFates fates_of_rows(const Documents& documents, const Outcome& outcome, uint64_t num_rows) {
  RowFates result;
  result.rows.resize(num_rows);
  for (uint64_t row = 0; row < num_rows; ++row) {
    result.rows[row].kind = RowFate::Kind::kRejected;  // until a document says otherwise
    result.rows[row].duplicate_of = row;
  }
  const Clusters clusters(outcome.fates);
  for (uint32_t document = documents.num_references(); document < documents.size(); ++document) {
    const DocumentFate& fate = outcome.fates[document];
    RowFate& out = result.rows[row_of_document(documents, document)];
    out.kind = kind_of(fate.fate);
    out.of_reference = fate.kept < documents.num_references();
    if (fate.distance >= cluster::kUnknownDistance) out.distance = {};
    if (fate.distance < cluster::kUnknownDistance) out.distance = fate.distance;
    out.similarity = fate.similarity;
    out.cluster = clusters.find(fate.kept);
    out.duplicate_of = row_of_document(documents, fate.kept);
  }
  count(result);
  return result;
}

}  // namespace neardup::engine

#include "neardup/engine/fingerprints/pairs_of_tables.h"

#include <fmt/format.h>

#include "neardup/base/sizes.h"
#include "neardup/engine/fingerprints/pairs_in_memory.h"
#include "neardup/engine/fingerprints/pairs_of_signatures.h"
#include "neardup/engine/fingerprints/stream.h"

namespace neardup::engine {
namespace {

/// Each family has its own measure: a flag of the other one was meant for something.
Status check_measure(const TablePairs& job) {
  if (job.left.num_values() > 0 && job.max_distance) {
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' holds MinHash signatures, and --distance is about bits of SimHash fingerprints: take "
                            "--verify jaccard:T instead, or neardup fingerprint --family simhash",
                            job.names[0]));
  }
  if (job.left.num_columns() > 0 && job.rule) {
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' holds SimHash fingerprints, and --verify is about MinHash signatures: take "
                            "--distance K instead, or neardup fingerprint --family minhash",
                            job.names[0]));
  }
  return {};
}

/// A cluster has one kept document, which is of the same set as the others.
Status check_clusters(const TablePairs& job) {
  if (!job.clusters || job.right == nullptr) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("--clusters is about the documents of one set: leave '{}' out, or give "
                          "both as one",
                          job.names[1]));
}

Result<uint64_t> free_bytes(const TablePairs& job) {
  const uint64_t held = job.left.memory_bytes() + (job.right == nullptr ? 0 : job.right->memory_bytes());
  if (held < job.memory_bytes) return job.memory_bytes - held;
  return fail(Code::kMemory, fmt::format("the fingerprints alone take {}; raise --memory or give --work DIR",
                                         human_bytes(static_cast<double>(held))));
}

Status pairs_of_signatures(const TablePairs& job, uint64_t memory_bytes, PairReceiver& receiver) {
  if (job.clusters) return no_fingerprints(job.names[0]);
  if (job.right != nullptr && job.right->num_values() == 0) return receiver.finish();
  NEARDUP_ASSIGN(const verify::Rule rule, rule_of_signatures(job.rule, job.left));
  return find_signature_pairs({job.left, job.right, rule, job.num_threads, memory_bytes, job.context}, receiver);
}

}  // namespace

Status find_table_pairs(const TablePairs& job, PairReceiver& receiver) {
  if (job.right != nullptr) NEARDUP_TRY(check_comparable(job.names, job.left, *job.right));
  NEARDUP_TRY(check_clusters(job));
  NEARDUP_TRY(check_measure(job));
  NEARDUP_ASSIGN(const uint64_t memory_bytes, free_bytes(job));
  if (job.left.num_values() > 0) return pairs_of_signatures(job, memory_bytes, receiver);
  const MemoryPairs found{job.left,        job.right,    job.max_distance.value_or(kUsualPairDistance),
                          job.num_threads, memory_bytes, job.context};
  return job.clusters ? find_clusters(found, *job.clusters, receiver) : find_pairs(found, receiver);
}

}  // namespace neardup::engine

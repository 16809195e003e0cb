// Counts first, times after: how many runs of keys a query reads, how many lines of memory lie in them, how many words
// are compared, how many candidates the known places let pass. Those follow from the plan, the codec's layout and even
// spread (or a sample: Skew). Each count is then multiplied by what one takes.
// Two kinds of constants are kept apart. Those of the machine are measured (calibrate.cc) or built in. Those of the
// code, below, were fitted once to bench/plan_check, by least squares over logarithms of predicted / measured, in units
// of a dependent multiplication, so that they scale with the processor.
// The model only ranks plans: each of them is complete, so an error costs time or bytes. Predictions beside
// measurements: bench/results/plans.md; why this way: docs/design/planner.md.
#include "neardup/planner/cost_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "neardup/hamming/delta_table.h"
#include "neardup/hamming/packed_table.h"

namespace neardup::planner {
namespace {

// Fitted to bench/plan_check on the reference machine, in units of Machine::compute_ns.
constexpr double kQuery = 79.6;         // beginning and ending a query
constexpr double kTable = 33.5;         // the same for each packed table
constexpr double kPlainTable = 12;      // and for each of another codec
constexpr double kWindow = 5.75;        // one bucket of a packed table: its place, its mask, its loop
constexpr double kBucketMargin = 4;     // words read beyond a bucket
constexpr double kProbe = 15;           // one bucket of a plain table: two searches
constexpr double kDeltaProbe = 22.9;    // one bucket of a table of differences
constexpr double kDeltaStep = 1.6;      // decoding one difference
constexpr double kHit = 52.6;           // a word within reach
constexpr double kScanWord = 0.122;     // comparing a word, in Machine::scan_ns
constexpr double kLineShare = 1.9;      // of a line that is asked for long before, in Machine::overlapped()
constexpr double kSequential = 0.716;   // and of one behind it
constexpr double kNearLines = 32;       // of these, so many; then
constexpr double kStreamedLine = 1.77;  // each of the others
constexpr double kFarLines = 3.46;      // lines that come one after another where a fingerprint is confirmed
constexpr double kConfirm = 5.02;       // comparing a whole fingerprint
constexpr double kLookUp = 10;          // finding it in the first table
constexpr double kExposed = 0.101;      // of the first waits of a table, of a query that is alone
constexpr double kBuildKey = 3;         // all that is done once for a fingerprint
constexpr double kBuildDelta = 1.02;    // sorts for each table of differences
constexpr double kBuildTable = 0.653;   // and of another codec

constexpr double kMatches = 0.5;  // of a query
constexpr double kLine = 64;      // bytes that come at once from memory
constexpr double kPage = 4096;    // and from a disk

double choices(int n, int r) {
  double value = 1;
  for (int i = 1; i <= r; ++i) value = value * (n - r + i) / i;
  return r > n ? 0 : value;
}

// Returns the share of all words of `bits` bits with at most `ones` ones.
double share_within(int bits, int ones) {
  if (ones < 0) return 0;
  double sum = 0;
  for (int i = 0; i <= std::min(bits, ones); ++i) sum += choices(bits, i);
  return std::ldexp(sum, -bits);
}

// Half of the queries have one match, at each distance as often: this share of all queries meets its match in a table.
double share_meeting(int num_bits, int prefix_bits, int flips, int max_distance) {
  double sum = 0;
  for (int distance = 0; distance <= max_distance; ++distance) {
    double ways = 0;
    for (int i = 0; i <= std::min(flips, distance); ++i) {
      ways += choices(prefix_bits, i) * choices(num_bits - prefix_bits, distance - i);
    }
    sum += ways / choices(num_bits, distance);
  }
  return kMatches * sum / (max_distance + 1);
}

int document_bits(uint64_t count) { return std::max(1, static_cast<int>(std::bit_width(count))); }

// Expected keys in the buckets of a query, times the share of them that known bits behind the prefix let pass.
double passing(double keys, int prefix_bits, int flips, int known_bits, int max_distance) {
  double sum = 0;
  for (int i = 0; i <= std::min({flips, prefix_bits, max_distance}); ++i) {
    sum += choices(prefix_bits, i) * share_within(std::max(0, known_bits - prefix_bits), max_distance - i);
  }
  return std::ldexp(keys, -prefix_bits) * sum;
}

// One table of a workload, and what its codec makes of it.
struct Table {
  const Workload& workload;
  const Machine& machine;
  const TablePart& part;
  double keys = static_cast<double>(workload.num_fingerprints);

  [[nodiscard]] double bucket() const { return std::ldexp(keys, -part.prefix_bits) * part.fullness; }
  [[nodiscard]] double cpu(double units) const { return units * machine.compute_ns; }
};

// What the codecs differ in.
struct CodecCost {
  double bytes = 0;            // of the table
  double directory_bytes = 0;  // of them
  double known_bits = 0;
  double record_bytes = 0;  // of all: what the table does not know, and documents
  double first_bytes = 0;   // of a first table, with the records
  double reads = 0;         // runs of keys that a query reads
  double read_bytes = 0;    // in them
  double cpu_ns = 0;        // without waits
};

CodecCost packed_cost(const Table& table) {
  const hamming::PackedShape shape{hamming::default_shape(table.workload.num_fingerprints).directory_bits,
                                   table.part.word_bits};
  const int d = shape.directory_bits, p = table.part.prefix_bits;
  const double word = shape.word_bits / 8.0;
  CodecCost cost;
  cost.directory_bytes = std::ldexp(1.125, d);
  cost.bytes = table.keys * word + cost.directory_bytes;
  cost.known_bits = std::min(table.workload.num_bits, d + shape.word_bits);
  double words = 0, hits = 0;
  // As PackedTable makes its windows: flips behind the directory stay in a group, which is then read whole.
  const int places = std::min(d, p);  // where the prefix ends before the directory does, a bucket is one run of groups
  const double run = std::ldexp(table.keys, -places) * table.part.fullness;
  for (int i = 0; i <= std::min(table.part.flips, places); ++i) {
    const double windows = choices(places, i);
    // Only where no flip is left for the places behind the directory is the bucket alone read.
    const bool whole = p <= d || i < table.part.flips;
    const double words_each = whole ? run : std::min(table.bucket() + kBucketMargin, run);
    cost.reads += windows;
    cost.read_bytes += windows * words_each * word;
    words += windows * words_each;
    hits += windows * words_each * share_within(shape.word_bits, table.workload.max_distance - i);
  }
  cost.cpu_ns = table.cpu(kTable + kWindow * cost.reads + kHit * hits) + kScanWord * words * table.machine.scan_ns;
  return cost;
}

CodecCost plain_cost(const Table& table) {
  const double key = table.workload.num_bits / 8.0;
  CodecCost cost;
  cost.directory_bytes = table.keys / 24 * 4;
  cost.bytes = table.keys * key + cost.directory_bytes;
  cost.known_bits = table.workload.num_bits;
  cost.reads = hamming::num_probes({{}, table.part.prefix_bits, table.part.flips});
  const double keys = cost.reads * (table.bucket() + 4);
  cost.read_bytes = keys * key;
  cost.cpu_ns = table.cpu(kPlainTable + kProbe * cost.reads) + keys * table.machine.scan_ns * (key / 4);
  return cost;
}

CodecCost delta_cost(const Table& table) {
  constexpr double kBlock = hamming::DeltaTable<fingerprint::Fingerprint>::kBlock;
  const double key = table.workload.num_bits / 8.0, blocks = std::ceil(table.keys / kBlock);
  // Evenly spread keys: the information in a gap, and what a Rice code and its block add to it.
  const double difference = table.workload.num_bits - std::log2(std::max(table.keys, 2.0)) + 2.6;
  CodecCost cost;
  cost.directory_bytes = blocks * (key + 4 + 4.0 / 24);
  cost.bytes = table.keys * difference / 8 + cost.directory_bytes;
  cost.known_bits = table.workload.num_bits;
  cost.reads = hamming::num_probes({{}, table.part.prefix_bits, table.part.flips});
  const double keys = cost.reads * (table.bucket() + kBlock);
  cost.read_bytes = keys * difference / 8;
  cost.cpu_ns = table.cpu(kPlainTable + kDeltaProbe * cost.reads + kDeltaStep * keys);
  return cost;
}

CodecCost codec_cost(const Table& table) {
  const hamming::Codec codec = table.workload.codec;
  CodecCost cost = codec == hamming::Codec::kPlain   ? plain_cost(table)
                   : codec == hamming::Codec::kDelta ? delta_cost(table)
                                                     : packed_cost(table);
  const double rest_bits = table.workload.num_bits - cost.known_bits;
  cost.record_bytes = table.keys * (rest_bits + document_bits(table.workload.num_fingerprints)) / 8;
  cost.first_bytes = cost.bytes + cost.record_bytes;
  return cost;
}

// Waits in memory: a line of the directory and those of the words for each read, many under way, from caches that all
// tables share.
void add_memory_times(const Table& table, const CodecCost& codec, Cost& cost) {
  const Machine& machine = table.machine;
  // All tables share the caches, so the working set is that of the whole plan.
  const double directories = codec.directory_bytes * table.part.num_tables, all = codec.bytes * table.part.num_tables;
  const double line = kLineShare * machine.overlapped(all), directory = kLineShare * machine.overlapped(directories);
  // The lines behind the first of a run are asked for by the processor itself; far behind they only stream.
  const double following = std::max(0.0, codec.read_bytes / kLine - codec.reads / 2);
  const double near = std::min(following, codec.reads * kNearLines);
  const double near_line = kSequential * machine.overlapped(all);
  const double streamed = (following - near) * std::min(near_line, table.cpu(kStreamedLine));
  const double waits = codec.reads * (directory + line) + near * near_line + streamed;
  const double found =
      share_meeting(table.workload.num_bits, table.part.prefix_bits, table.part.flips, table.workload.max_distance);
  // Matches and false candidates: a record of the first table, which another table must find there first, line by line.
  const double confirm = table.cpu(kConfirm) + line;
  const double look_up = table.part.is_first ? 0 : table.cpu(kLookUp) + kFarLines * machine.read(codec.first_bytes);
  cost.batch_ns = codec.cpu_ns + waits + (cost.confirmations + found) * (confirm + look_up);
  cost.single_ns = cost.batch_ns + kExposed * (machine.read(directories) + machine.read(all));
}

// Waits on another medium: directories are in memory, runs of keys and records are not.
void add_storage_times(const Table& table, const CodecCost& codec, Cost& cost) {
  const Storage& storage = table.machine.storage(table.workload.medium);
  const double unit = table.workload.medium == Medium::kSsd ? kPage : 0;
  const double confirm_reads = cost.confirmations * (table.part.is_first ? 1 : 2);
  const double reads = codec.reads + confirm_reads;
  const double bytes = codec.read_bytes + codec.reads * unit / 2 + confirm_reads * std::max(unit, 16.0);
  const double transfer = bytes / storage.bytes_per_second * 1e9;
  cost.batch_ns = codec.cpu_ns + transfer + reads * storage.latency_ns / storage.at_once;
  cost.single_ns = codec.cpu_ns + transfer;  // and the rounds, see plan_cost()
}

Cost operator+(Cost a, const Cost& b) {
  a.bytes_per_fingerprint += b.bytes_per_fingerprint;
  a.bytes += b.bytes;
  a.memory_bytes += b.memory_bytes;
  a.probes += b.probes;
  a.reads += b.reads;
  a.candidates += b.candidates;
  a.confirmations += b.confirmations;
  a.single_ns += b.single_ns;
  a.batch_ns += b.batch_ns;
  a.build_seconds += b.build_seconds;
  return a;
}

}  // namespace

Cost table_cost(const Workload& workload, const Machine& machine, const TablePart& part) {
  const Table table{workload, machine, part};
  const double keys = table.keys;
  const CodecCost codec = codec_cost(table);
  Cost cost;
  cost.bytes = part.is_first ? codec.first_bytes : codec.bytes;
  cost.bytes_per_fingerprint = cost.bytes / std::max(1.0, keys);
  cost.memory_bytes = workload.medium == Medium::kRam ? cost.bytes : codec.directory_bytes;
  cost.reads = codec.reads;
  cost.probes = hamming::num_probes({{}, part.prefix_bits, part.flips});
  cost.candidates = cost.probes * table.bucket();
  const int known = static_cast<int>(codec.known_bits);
  cost.confirmations = part.fullness * passing(keys, part.prefix_bits, part.flips, known, workload.max_distance);
  if (workload.medium == Medium::kRam) {
    add_memory_times(table, codec, cost);
  } else {
    add_storage_times(table, codec, cost);
  }
  cost.build_seconds = keys * 1e-9 *
                       ((workload.codec == hamming::Codec::kDelta ? kBuildDelta : kBuildTable) * machine.sort_ns +
                        (part.is_first ? table.cpu(kBuildKey) : 0));
  return cost;
}

TablePart part_of(const hamming::Plan& plan, size_t table, const Workload& workload, const Skew& skew) {
  const hamming::TableLayout& layout = plan.tables[table];
  TablePart part{layout.prefix_bits, layout.flips, table == 0, static_cast<int>(plan.tables.size()),
                 skew.fullness(layout)};
  if (table > 0) part.word_bits = hamming::shape_beside_first(plan, table, workload.num_fingerprints).word_bits;
  return part;
}

Cost plan_cost(const hamming::Plan& plan, const Workload& workload, const Machine& machine, const Skew& skew) {
  Cost cost;
  cost.batch_ns = cost.single_ns = kQuery * machine.compute_ns;
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    cost = cost + table_cost(workload, machine, part_of(plan, t, workload, skew));
  }
  if (workload.medium != Medium::kRam) {
    // The reads of all tables are under way together, then those that confirm.
    const Storage& storage = machine.storage(workload.medium);
    cost.single_ns +=
        (std::ceil(cost.reads / storage.at_once) + std::min(1.0, cost.confirmations)) * storage.latency_ns;
  }
  return cost;
}

}  // namespace neardup::planner

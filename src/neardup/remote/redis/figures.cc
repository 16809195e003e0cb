#include <fmt/format.h>

#include <algorithm>

#include "neardup/remote/redis/redis_store.h"
#include "neardup/remote/redis/server_facts.h"

namespace neardup::remote::redis {
namespace {

constexpr size_t kSamples = 64;
constexpr size_t kSamplesOfTable = 16;
constexpr double kIntsetEntryBytes = 354;  // of a set that is one no more

std::string megabytes(uint64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

// Mean of the replies that are numbers; 0 of none. Keys that are not there count.
double mean_of(const Replies& replies, size_t first) {
  double sum = 0;
  for (size_t i = first; i < replies.size(); ++i) sum += static_cast<double>(replies[i].integer);
  return replies.size() > first ? sum / static_cast<double>(replies.size() - first) : 0;
}

struct Memory {
  uint64_t bytes = 0;
  std::string how;
};

// Where all keys seem to be ours it is what the server has in use; else some keys are measured.
Result<Memory> memory_of(RedisStore& store, const ServerFacts& facts) {
  Request request;
  request.command({"DBSIZE"}, Shape::integer());
  for (size_t i = 0; i < kSamples; ++i) request.command({"RANDOMKEY"}, Shape::text());
  NEARDUP_ASSIGN(const Replies keys, ask(store.pool, request));
  Request measure;
  for (size_t i = 1; i < keys.size(); ++i)
    if (const std::string_view key = keys.text(keys[i]); key.starts_with(store.names.prefix()))
      measure.command({"MEMORY", "USAGE", key, "SAMPLES", "0"});
  const size_t num_ours = measure.num_commands();
  const auto in_use = facts.number("used_memory");
  if (num_ours == kSamples && in_use) {
    uint64_t others = 0;
    for (const std::string_view name : {"used_memory_startup", "mem_clients_normal", "mem_aof_buffer",
                                        "mem_total_replication_buffers", "used_memory_scripts"})
      others += facts.number(name).value_or(0);
    return Memory{*in_use - std::min(*in_use, others),
                  "all that the server uses: the keys seem to be this store's alone"};
  }
  if (num_ours == 0) return Memory{1, "too little to be found among the keys of others"};
  NEARDUP_ASSIGN(const Replies sizes, store.pool.tell(measure));
  const double share = static_cast<double>(num_ours) / kSamples;
  const double bytes = mean_of(sizes, 0) * static_cast<double>(keys[0].integer) * share;
  return Memory{static_cast<uint64_t>(bytes) + 1,
                fmt::format("estimated from {} keys, as others use the server", num_ours)};
}

// Of the lists of fingerprints alone.
Result<uint64_t> table_bytes(RedisStore& store) {
  const size_t num_tables = store.layout.tables().size() * store.layout.num_places();
  double bytes = 0;
  for (size_t table = 0; table < num_tables; ++table) {
    const int bits = store.layout.tables()[table % store.layout.tables().size()].bucket.size();
    const uint64_t num_lists = uint64_t{1} << bits;
    Request request;
    for (uint64_t i = 0; i < kSamplesOfTable; ++i)
      request.command({"MEMORY", "USAGE",
                       store.names.of({ListKind::kTable, static_cast<uint16_t>(table), mix64(i + 1) % num_lists}),
                       "SAMPLES", "0"});
    NEARDUP_ASSIGN(const Replies sizes, store.pool.tell(request));
    bytes += mean_of(sizes, 0) * static_cast<double>(num_lists);
  }
  return static_cast<uint64_t>(bytes);
}

std::string layout_text(const Layout& layout) {
  const LayoutNumbers& numbers = layout.numbers();
  const std::string tables = layout.num_words() == 0 ? "no fingerprints"
                                                     : fmt::format("{} tables of {} bits", layout.tables().size(),
                                                                   layout.tables()[0].bucket.size());
  return fmt::format("{}, {}, keys of {} bits in 2^{} lists", layout.is_sets() ? "sets" : "compact", tables,
                     numbers.key_bits + 8 * numbers.key_value_bytes, numbers.key_bits);
}

void add_warnings(const RedisStore& store, const ServerFacts& facts, uint64_t documents,
                  std::vector<store::StoreFact>& out) {
  const LayoutNumbers& numbers = store.layout.numbers();
  const auto most = facts.number("set-max-intset-entries");
  const uint64_t expected = std::max(numbers.expected, documents) >> 16;
  if (store.layout.is_sets() && most && *most < 2 * expected)
    out.push_back(
        {"warning", fmt::format("sets will have about {} members, and beyond {} one takes {} bytes instead of 8; "
                                "CONFIG SET set-max-intset-entries {}",
                                expected, *most, kIntsetEntryBytes, 4 * expected)});
  if (documents > 16 * numbers.expected)
    out.push_back({"warning", fmt::format("it was made for {} documents and has {}: its lists are long; copy it into a "
                                          "store with ?expect={}",
                                          numbers.expected, documents, 4 * documents)});
}

}  // namespace

Result<BackendFigures> figures(RedisStore& store) {
  NEARDUP_ASSIGN(const ServerFacts facts, ask_facts(store.pool));
  Request request;
  request.command({"HMGET", store.names.simple('m'), "documents", "duplicates", "erased"}, Shape::texts(3));
  request.command({"MGET", store.names.simple('i'), store.names.simple('n')}, Shape::texts(2));
  NEARDUP_ASSIGN(const Replies replies, ask(store.pool, request));
  NEARDUP_TRY(store.identity_of(replies.text(replies.element(1, 0))));
  const auto number = [&](const Replies::Node& node) {
    return std::strtoull(std::string(replies.text(node)).c_str(), nullptr, 10);
  };
  BackendFigures figures;
  figures.documents = number(replies.element(0, 0));
  figures.duplicates = number(replies.element(0, 1));
  figures.erased = number(replies.element(0, 2));
  NEARDUP_ASSIGN(figures.next_number, store.next_number_of(replies.text(replies.element(1, 1))));
  auto measured = memory_of(store, facts);
  if (!measured && measured.error().message.find("NOPERM") == std::string::npos)
    return tl::unexpected<Error>(measured.error());
  const Memory memory =
      measured ? *measured : Memory{0, "unknown: the user may not ask (DBSIZE, RANDOMKEY, MEMORY USAGE)"};
  figures.memory_bytes = memory.bytes;
  figures.disk_bytes = facts.number("aof_current_size").value_or(0);
  const auto known = [](std::string_view text) { return std::string(text.empty() ? "unknown" : text); };
  figures.facts = {
      {"server", "Redis " + known(facts.of("redis_version"))},
      {"layout", layout_text(store.layout)},
      {"persistence", facts.persistence()},
      {"maxmemory", facts.number("maxmemory").value_or(0) == 0
                        ? "no limit"
                        : megabytes(*facts.number("maxmemory")) + ", then " + known(facts.of("maxmemory_policy"))},
      {"cluster", facts.of("cluster_enabled") == "1" ? "yes, all keys in one slot" : "no"},
      {"memory", memory.how}};
  if (store.layout.num_words() > 0) {
    NEARDUP_ASSIGN(const uint64_t bytes, table_bytes(store));
    const double each =
        figures.documents == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(figures.documents);
    figures.facts.push_back({"fingerprint tables", fmt::format("{}, {:.1f} bytes a document", megabytes(bytes), each)});
  }
  add_warnings(store, facts, figures.documents, figures.facts);
  return figures;
}

}  // namespace neardup::remote::redis

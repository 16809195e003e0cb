#include <fmt/format.h>

#include <algorithm>

#include "neardup/remote/redis/record_group.h"
#include "neardup/remote/redis/redis_store.h"
#include "neardup/remote/redis/server_facts.h"

namespace neardup::remote::redis {
namespace {

constexpr size_t kSamples = 64;
constexpr uint64_t kFarFromExpected = 16;  // times as many or as few documents
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

// Of strings that have names by a number below `count`: what some take by chance, for all. Those not there count as 0.
template <class NameOf>
Result<double> bytes_of_kind(RedisStore& store, uint64_t count, const NameOf& name_of) {
  if (count == 0) return 0;
  Request request;
  for (uint64_t i = 0; i < kSamples; ++i)
    request.command({"MEMORY", "USAGE", name_of(mix64(i + 1) % count), "SAMPLES", "0"});
  NEARDUP_ASSIGN(const Replies sizes, store.pool.send_retrying_stale(request));
  if (sizes[0].type == ReplyType::kError) return refusal(store.pool.uri(), sizes.text(sizes[0]));
  return mean_of(sizes, 0) * static_cast<double>(count);
}

// Of the lists of fingerprints alone.
Result<double> table_bytes(RedisStore& store) {
  double bytes = 0;
  if (store.layout.num_words() == 0) return bytes;
  const size_t num_tables = store.layout.tables().size() * store.layout.num_places();
  for (size_t table = 0; table < num_tables; ++table) {
    const int bits = store.layout.tables()[table % store.layout.tables().size()].bucket.size();
    NEARDUP_ASSIGN(const double some, bytes_of_kind(store, uint64_t{1} << bits, [&](uint64_t list) {
                     return store.names.of({ListKind::kTable, static_cast<uint16_t>(table), list});
                   }));
    bytes += some;
  }
  return bytes;
}

// All but the lists of keys that very many documents have.
Result<double> own_bytes(RedisStore& store, double of_tables, uint64_t next_number) {
  NEARDUP_ASSIGN(const double keys,
                 bytes_of_kind(store, uint64_t{1} << store.layout.numbers().key_bits, [&](uint64_t list) {
                   return store.names.of({ListKind::kKeys, 0, list});
                 }));
  NEARDUP_ASSIGN(const double groups, bytes_of_kind(store, (next_number + kGroupSize - 1) / kGroupSize,
                                                    [&](uint64_t group) { return store.names.numbered('r', group); }));
  NEARDUP_ASSIGN(const double records,
                 bytes_of_kind(store, next_number, [&](uint64_t number) { return store.names.numbered('R', number); }));
  return of_tables + keys + groups + records;
}

// Where all keys seem to be ours it is what the server has in use; else some of ours are measured.
Result<Memory> memory_of(RedisStore& store, const ServerFacts& facts, double of_tables, uint64_t next_number) {
  Request request;
  for (size_t i = 0; i < kSamples; ++i) request.command({"RANDOMKEY"}, Shape::text());
  NEARDUP_ASSIGN(const Replies keys, ask(store.pool, request));
  size_t num_ours = 0;
  for (size_t i = 0; i < keys.size(); ++i) num_ours += keys.text(keys[i]).starts_with(store.names.prefix()) ? 1 : 0;
  const auto in_use = facts.number("used_memory");
  if (num_ours < kSamples || !in_use) {
    NEARDUP_ASSIGN(const double bytes, own_bytes(store, of_tables, next_number));
    return Memory{static_cast<uint64_t>(bytes),
                  fmt::format("estimated from {} lists of each kind, as others use the server", kSamples)};
  }
  uint64_t others = 0;
  for (const std::string_view name : {"used_memory_startup", "mem_clients_normal", "mem_aof_buffer",
                                      "mem_total_replication_buffers", "used_memory_scripts"})
    others += facts.number(name).value_or(0);
  return Memory{*in_use - std::min(*in_use, others),
                "all that the server uses: the keys seem to be this store's alone"};
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
  std::vector<std::string> warnings;
  const LayoutNumbers& numbers = store.layout.numbers();
  const auto most = facts.number("set-max-intset-entries");
  const uint64_t expected = std::max(numbers.expected, documents) >> 16;
  if (store.layout.is_sets() && most && *most < 2 * expected)
    warnings.push_back(
        fmt::format("sets will have about {} members, and beyond {} one takes {} bytes instead of 8; "
                    "CONFIG SET set-max-intset-entries {}",
                    expected, *most, kIntsetEntryBytes, 4 * expected));
  if (documents > kFarFromExpected * numbers.expected)
    warnings.push_back(
        fmt::format("it was made for {} documents and has {}: its lists are long; copy it into a store "
                    "with ?expect={}",
                    numbers.expected, documents, 4 * documents));
  if (!warnings.empty()) out.push_back({"warning", fmt::format("{}", fmt::join(warnings, "; "))});
}

// Of one that may still be on its way, so it is no warning.
void add_hint(const Layout& layout, uint64_t documents, std::vector<store::StoreFact>& out) {
  const uint64_t expected = layout.numbers().expected;
  if (layout.is_sets() || documents == 0 || documents >= expected / kFarFromExpected) return;
  out.push_back({"hint", fmt::format("it was made for {} documents and has {}: most of its memory is that of short "
                                     "lists; if few more come, copy it into a store with ?expect={}",
                                     expected, documents, documents)});
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
  const auto of_tables = table_bytes(store);
  auto measured = of_tables ? memory_of(store, facts, *of_tables, figures.next_number)
                            : Result<Memory>(tl::unexpected<Error>(of_tables.error()));
  if (!measured && measured.error().message.find("NOPERM") == std::string::npos)
    return tl::unexpected<Error>(measured.error());
  const Memory memory = measured ? *measured : Memory{0, "unknown: the user may not ask (RANDOMKEY, MEMORY USAGE)"};
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
  if (store.layout.num_words() > 0 && of_tables) {
    const double each = figures.documents == 0 ? 0 : *of_tables / static_cast<double>(figures.documents);
    figures.facts.push_back({"fingerprint tables", fmt::format("{}, {:.1f} bytes a document",
                                                               megabytes(static_cast<uint64_t>(*of_tables)), each)});
  }
  add_warnings(store, facts, figures.documents, figures.facts);
  add_hint(store.layout, figures.documents, figures.facts);
  return figures;
}

}  // namespace neardup::remote::redis

#include <algorithm>
#include <map>
#include <set>

#include "neardup/remote/redis/record_group.h"
#include "neardup/remote/redis/redis_store.h"
#include "neardup/remote/redis/script.h"
#include "neardup/remote/redis/step.h"

namespace neardup::remote::redis {
namespace {

constexpr size_t kListsOfStep = 128;      // of one step: so long others wait
constexpr size_t kOwnListEntries = 1000;  // of one key, from which on it gets a list of its own
constexpr int kTries = 20;                // where others come between

// Writes lists anew, all or none: none where one is not as it was read. KEYS: the state. ARGV: the state as it was
// seen, checks, what is written. A server without memory lets it through: it gives some back.
constexpr std::string_view kRewriteScript = R"lua(#!lua flags=allow-oom
local call, try, unpack = redis.call, redis.pcall, struct.unpack
if call('GET', KEYS[1]) ~= ARGV[1] then return false end
local pos = 1
while pos <= #ARGV[2] do
  local kind, after, key, value
  kind, after, key, value, pos = unpack('<BIBc0Ic0', ARGV[2], pos)
  local found = try(kind == 3 and 'SCARD' or 'STRLEN', key)
  if type(found) == 'table' then return found end
  if found ~= after then return false end
end
pos = 1
while pos <= #ARGV[3] do
  local kind, after, key, value
  kind, after, key, value, pos = unpack('<BIBc0Ic0', ARGV[3], pos)
  if kind == 9 then
    call('SREM', key, value)
  elseif kind ~= 5 and value == '' then
    call('DEL', key)
  else
    call(kind == 5 and 'APPEND' or 'SET', key, value)
    call('BITOP', 'OR', key, key)  -- server_string.h
  end
end
call('INCRBY', KEYS[1], 65536)
return 'ok'
)lua";

struct Rewrite {
  std::string checks, steps;
  void check(std::string_view key, size_t length) { append_step(checks, StepKind::kCheck, length, key); }
  void check_set(std::string_view key, size_t size) { append_step(checks, StepKind::kCheckSet, size, key); }
  void set(std::string_view key, std::string_view text) { append_step(steps, StepKind::kSet, 0, key, text); }
  void append(std::string_view key, std::string_view text) {
    append_step(steps, StepKind::kAppendAlways, 0, key, text);
  }
  void remove_member(std::string_view key, std::string_view member) {
    append_step(steps, StepKind::kAddAlways, 0, key, member);
  }
};

// Returns whether it happened.
Result<bool> run(RedisStore& store, const std::string& state, const Rewrite& rewrite) {
  if (rewrite.steps.empty()) return true;
  const ScriptCall call{kRewriteScript, {store.names.simple('e')}, {state, rewrite.checks, rewrite.steps}};
  NEARDUP_ASSIGN(const std::vector<ScriptAnswer> answers, run_scripts(store.pool, {&call, 1}));
  if (answers[0].is_error) return refusal(store.pool.uri(), answers[0].text);
  return answers[0].text == "ok";
}

// Numbers that were given, ascending, of documents that are erased.
using Numbers = std::vector<uint64_t>;
bool is_in(const Numbers& numbers, uint64_t number) { return std::ranges::binary_search(numbers, number); }

/// Takes what is erased out of lists and groups. Erased documents stay marked until nothing leads to them any more.
class Compaction {
 public:
  explicit Compaction(RedisStore& store) : store_(store), num_tables_(store.layout.tables().size()) {}

  Status run_all() {
    NEARDUP_TRY(each_group([&](uint64_t group, const std::string& key, const std::string& text, Rewrite& rewrite) {
      return note_group(group, key, text, rewrite);
    }));
    if (!erased_.empty()) {
      NEARDUP_TRY(clean_keys());
      NEARDUP_TRY(store_.layout.is_sets() ? clean_sets() : clean_tables());
      NEARDUP_TRY(clean_own_lists());
    }
    return each_group([&](uint64_t group, const std::string& key, const std::string& text, Rewrite& rewrite) {
      return write_group(group, key, text, rewrite);
    });
  }

 private:
  // Gives `make` keys with their texts, and does what it says; again where others changed them meanwhile.
  template <class Make>
  Status rewrite_each(std::span<const std::string> keys, const Make& make) {
    for (size_t first = 0; first < keys.size(); first += kListsOfStep) {
      const auto some = keys.subspan(first, std::min(kListsOfStep, keys.size() - first));
      bool is_done = false;
      for (int tries = 0; tries < kTries && !is_done; ++tries) {
        NEARDUP_TRY(store_.pool.options().context.check_cancel());
        const std::vector<std::string> state_key = {store_.names.simple('e')};
        NEARDUP_ASSIGN(const std::vector<std::string> state, get_all(store_, state_key));
        NEARDUP_ASSIGN(const std::vector<std::string> texts, get_all(store_, some));
        Rewrite rewrite;
        for (size_t i = 0; i < some.size(); ++i) NEARDUP_TRY(make(first + i, some[i], texts[i], rewrite));
        NEARDUP_ASSIGN(is_done, run(store_, state[0], rewrite));
      }
      if (!is_done)
        return fail(Code::kIo, store_.pool.uri().shown() +
                                   ": others change the store all the time; compact it when it is "
                                   "less busy");
    }
    return {};
  }

  template <class Use>
  Status each_group(const Use& use) {
    const std::vector<std::string> counter = {store_.names.simple('n')};
    NEARDUP_ASSIGN(const std::vector<std::string> end, get_all(store_, counter));
    NEARDUP_ASSIGN(const uint64_t next, store_.next_number_of(end[0]));
    const uint64_t num_groups = (std::min(next, kNumberLimit) + kGroupSize - 1) / kGroupSize;
    constexpr uint64_t kGroupsEach = 8192;
    for (uint64_t first = 0; first < num_groups; first += kGroupsEach) {
      std::vector<std::string> keys;
      for (uint64_t group = first; group < std::min(num_groups, first + kGroupsEach); ++group)
        keys.push_back(store_.names.numbered('r', group));
      NEARDUP_TRY(rewrite_each(keys, [&](size_t i, const std::string& key, const std::string& text, Rewrite& rewrite) {
        return use(first + i, key, text, rewrite);
      }));
    }
    return {};
  }

  Status note_group(uint64_t group, const std::string& key, const std::string& text, Rewrite& /*rewrite*/) {
    const auto parsed = parse_group(text, store_.layout.homes_bytes());
    if (!parsed) return store_.damaged(key, parsed.error().message);
    for (uint64_t slot = 0; slot < kGroupSize; ++slot)
      if (parsed->is_erased[slot] && (erased_.empty() || erased_.back() < group * kGroupSize + slot))
        erased_.push_back(group * kGroupSize + slot);
    return {};
  }

  // Where it was made of more than one piece: of all that are there, and of marks that came meanwhile.
  Status write_group(uint64_t group, const std::string& key, const std::string& text, Rewrite& rewrite) {
    const auto parsed = parse_group(text, store_.layout.homes_bytes());
    if (!parsed) return store_.damaged(key, parsed.error().message);
    if (parsed->num_pieces <= 1 && std::ranges::count(parsed->is_erased, true) == 0) return {};
    std::vector<PieceRecord> records;
    std::string marks;
    for (uint8_t slot = 0; slot < kGroupSize; ++slot) {
      if (parsed->is_there[slot]) records.push_back(parsed->records[slot]);
      if (parsed->is_erased[slot] && !is_in(erased_, group * kGroupSize + slot)) marks += erasure_of(slot);
    }
    rewrite.check(key, text.size());
    rewrite.set(key, (records.empty() ? std::string() : piece_of(records)) + marks);
    return {};
  }

  // Takes entries of erased documents out. Returns whether there were any; calls gone(i) for each.
  template <class Gone>
  bool cleaned(const PackedList& entries, std::string& out, const Gone& gone) {
    std::vector<uint32_t> all(entries.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<bool> is_gone(entries.size(), false);
    bool any = false;
    std::vector<uint64_t> pages(entries.size(), 0);
    entries.each_number(all, [&](size_t i, uint64_t number) {
      pages[i] = page_of(number);
      is_gone[i] = is_in(erased_, number);
      if (is_gone[i]) gone(i);
      any = any || is_gone[i];
    });
    if (!any) return false;
    uint64_t page = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (is_gone[i] || entries.low(i) == kPageMark) continue;
      if (entries.is_number(i) && pages[i] != page) {
        page = pages[i];
        append_entry(out, page, entries.value_bytes(), kPageMark);
      }
      append_entry(out, entries.value(i), entries.value_bytes(), entries.low(i));
    }
    return true;
  }

  Status clean_keys() {
    std::vector<std::string> keys;
    for (uint64_t bucket = 0; bucket < uint64_t{1} << store_.layout.numbers().key_bits; ++bucket)
      keys.push_back(store_.names.of({ListKind::kKeys, 0, bucket}));
    return rewrite_each(keys, [&](size_t bucket, const std::string& key, const std::string& text, Rewrite& rewrite) {
      const PackedList entries = store_.key_entries(text);
      if (!entries.is_whole()) return Status(store_.damaged(key, "its length is not one that it can have"));
      for (size_t i = 0; i < entries.size(); ++i)
        if (entries.low(i) == kOwnListMark)
          own_keys_.insert(store_.names.of(store_.own_list_of(bucket, static_cast<uint64_t>(entries.value(i)))));
      std::string out;
      if (!cleaned(entries, out, [](size_t) {})) return Status();
      rewrite.check(key, text.size());
      rewrite.set(key, out);
      return Status();
    });
  }

  Status clean_own_lists() {
    const std::vector<std::string> keys(own_keys_.begin(), own_keys_.end());
    return rewrite_each(keys, [&](size_t, const std::string& key, const std::string& text, Rewrite& rewrite) {
      std::string out;
      for (size_t at = 0; at + kOwnEntryBytes <= text.size(); at += kOwnEntryBytes)
        if (!is_in(erased_, load_little<uint64_t>(text.data() + at, kOwnEntryBytes)))
          out.append(text, at, kOwnEntryBytes);
      if (out.size() == text.size()) return Status();
      rewrite.check(key, text.size());
      rewrite.set(key, out);
      return Status();
    });
  }

  // Each erased document has one entry in each table from when it came and one from when it went: both go at once from
  // all tables, so that where this ends in the middle it can begin again.
  Status clean_tables() {
    for (size_t place = 0; place < store_.layout.num_places(); ++place)
      for (uint64_t home = 0; home < uint64_t{1} << store_.layout.numbers().bucket_bits; home += kHomesEach)
        NEARDUP_TRY(clean_homes(place, home));
    return {};
  }
  Status clean_homes(size_t place, uint64_t first) {
    std::vector<std::string> keys;
    const auto table = static_cast<uint16_t>(place * num_tables_);
    for (uint64_t home = first; home < std::min(first + kHomesEach, uint64_t{1} << store_.layout.numbers().bucket_bits);
         ++home)
      keys.push_back(store_.names.of({ListKind::kTable, table, home}));
    for (int tries = 0; tries < kTries; ++tries) {
      NEARDUP_TRY(store_.pool.options().context.check_cancel());
      NEARDUP_ASSIGN(const bool is_done, try_homes(place, first, keys));
      if (is_done) return {};
    }
    return fail(Code::kIo, store_.pool.uri().shown() +
                               ": others change the store all the time; compact it when it is less "
                               "busy");
  }
  Result<bool> try_homes(size_t place, uint64_t first, const std::vector<std::string>& keys) {
    const std::vector<std::string> state_key = {store_.names.simple('e')};
    NEARDUP_ASSIGN(const std::vector<std::string> state, get_all(store_, state_key));
    NEARDUP_ASSIGN(const std::vector<std::string> texts, get_all(store_, keys));
    Rewrite rewrite;
    std::map<std::pair<size_t, uint64_t>, std::map<Wide, size_t>>
        others;  // by table and list: values that go, how often
    for (size_t i = 0; i < keys.size(); ++i) {
      const PackedList entries = store_.table_entries(texts[i], 0);
      if (!entries.is_whole()) return store_.damaged(keys[i], "its length is not one that it can have");
      std::string out;
      if (!cleaned(entries, out, [&](size_t entry) { note_others(first + i, entries.value(entry), others); })) continue;
      rewrite.check(keys[i], texts[i].size());
      rewrite.set(keys[i], out);
    }
    if (rewrite.steps.empty()) return true;
    NEARDUP_TRY(clean_others(place, others, rewrite));
    return run(store_, state[0], rewrite);
  }
  template <class Others>
  void note_others(uint64_t home, Wide value, Others& others) {
    const std::span<const FingerprintTable> tables = store_.layout.tables();
    const Wide fingerprint = tables[0].bucket.scatter(home) | tables[0].value.scatter(value);
    for (size_t table = 1; table < num_tables_; ++table)
      ++others[{table, static_cast<uint64_t>(tables[table].bucket.gather(fingerprint))}]
              [tables[table].value.gather(fingerprint)];
  }
  template <class Others>
  Status clean_others(size_t place, Others& others, Rewrite& rewrite) {
    std::vector<std::string> keys;
    for (const auto& [of, values] : others)
      keys.push_back(
          store_.names.of({ListKind::kTable, static_cast<uint16_t>(place * num_tables_ + of.first), of.second}));
    NEARDUP_ASSIGN(const std::vector<std::string> texts, get_all(store_, keys));
    size_t at = 0;
    for (auto& [of, values] : others) {
      const PackedList entries = store_.table_entries(texts[at], of.first);
      if (!entries.is_whole()) return store_.damaged(keys[at], "its length is not one that it can have");
      std::string out;
      for (size_t i = 0; i < entries.size(); ++i) {
        const auto goes = values.find(entries.value(i));
        if (goes != values.end() && goes->second > 0)
          --goes->second;
        else
          append_little_bytes(out, entries.value(i), entries.value_bytes());
      }
      rewrite.check(keys[at], texts[at].size());
      rewrite.set(keys[at], out);
      ++at;
    }
    return {};
  }

  // A fingerprint whose key leads to nobody any more goes from all its sets.
  Status clean_sets() {
    for (size_t place = 0; place < store_.layout.num_places(); ++place)
      for (uint64_t first = 0; first < uint64_t{1} << store_.layout.numbers().bucket_bits; first += kListsOfStep)
        NEARDUP_TRY(clean_some_sets(place, first));
    return {};
  }
  Status clean_some_sets(size_t place, uint64_t first) {
    Request request;
    for (uint64_t bucket = first; bucket < first + kListsOfStep; ++bucket)
      request.command(
          {"SMEMBERS", store_.names.of({ListKind::kTable, static_cast<uint16_t>(place * num_tables_), bucket})},
          Shape::texts());
    NEARDUP_ASSIGN(const Replies sets, ask(store_.pool, request));
    std::vector<std::string> members, keys;
    for (size_t set = 0; set < sets.size(); ++set) {
      for (size_t i = 0; i < sets[set].size; ++i) {
        members.emplace_back(sets.text(sets.element(set, i)));
        keys.push_back(store_.names.of(store_.key_list(Layout::fingerprint_key(value_of(members.back()), place))));
      }
    }
    return rewrite_each(keys, [&](size_t i, const std::string& key, const std::string& text, Rewrite& rewrite) {
      clean_member(place, members[i], key, text, rewrite);
      return Status();
    });
  }
  static uint64_t value_of(const std::string& member) {
    return static_cast<uint64_t>(std::strtoll(member.c_str(), nullptr, 10));
  }
  void clean_member(size_t place, const std::string& member, const std::string& key, const std::string& text,
                    Rewrite& rewrite) {
    const uint64_t value = value_of(member);
    const PackedList entries = store_.key_entries(text);
    std::vector<uint32_t> found;
    find_equal(entries, store_.layout.key_value(Layout::fingerprint_key(value, place)), found);
    if (!found.empty()) return;
    rewrite.check(key, text.size());
    for (size_t table = 0; table < num_tables_; ++table)
      rewrite.remove_member(store_.names.of(store_.table_list(value, place, table)), member);
  }

  static constexpr uint64_t kHomesEach = 64;
  RedisStore& store_;
  size_t num_tables_;
  Numbers erased_;
  std::set<std::string> own_keys_;
};

}  // namespace

Status compact(RedisStore& store) { return Compaction(store).run_all(); }

Status split_list(RedisStore& store, State state, const ListId& id, std::string_view bytes) {
  const PackedList entries = store.key_entries(bytes);
  std::map<Wide, size_t> counts;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries.is_number(i)) ++counts[entries.value(i)];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  if (most == counts.end() || most->second < kOwnListEntries) return {};
  const Wide value = most->first;
  std::vector<uint32_t> all(entries.size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  std::string own, rest;
  uint64_t page = 0;
  entries.each_number(all, [&](size_t i, uint64_t number) {
    if (entries.value(i) == value) return append_little_bytes(own, number, kOwnEntryBytes);
    if (page_of(number) != page) {
      page = page_of(number);
      append_entry(rest, page, entries.value_bytes(), kPageMark);
    }
    append_entry(rest, entries.value(i), entries.value_bytes(), low_of(number));
  });
  std::set<Wide> marks = {value};
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries.low(i) == kOwnListMark) marks.insert(entries.value(i));
  for (const Wide mark : marks) append_entry(rest, mark, entries.value_bytes(), kOwnListMark);
  Rewrite rewrite;
  rewrite.check(store.names.of(id), bytes.size());
  rewrite.append(store.names.of(store.own_list_of(id.value, static_cast<uint64_t>(value))), own);
  rewrite.set(store.names.of(id), rest);
  NEARDUP_TRY(run(store, std::to_string(state.value), rewrite));
  return {};
}

}  // namespace neardup::remote::redis

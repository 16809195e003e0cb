#include <algorithm>
#include <cstdlib>
#include <deque>

#include "neardup/remote/redis/redis_store.h"

namespace neardup::remote::redis {
namespace {

constexpr size_t kListsEach = 512;  // of one command: so long others wait

/// One look-up. What is found by a value of a table but the first is one fingerprint of a list of the first table,
/// where it is looked for again; that list is asked for in a second exchange unless the first one brought it.
class LookUp {
 public:
  LookUp(RedisStore& store, const Question& question)
      : store_(store), layout_(store.layout), question_(question), num_tables_(layout_.tables().size()) {}

  Result<Found> run() {
    collect();
    NEARDUP_TRY(ask());
    for (size_t i = 0; i < question_.keys.size(); ++i) find_key(question_.keys[i], places_[i], found_keys_[i]);
    find_fingerprints();
    NEARDUP_TRY(ask_for_new());
    for (const Wanted& wanted : wanted_) find_in_first(wanted, extra_contents_[wanted.list & ~kExtra]);
    for (const auto& [key, document] : wanted_keys_)
      find_key(key, lists_.find(store_.key_list(key)), found_documents_[document]);
    NEARDUP_TRY(ask_for_new());
    for (const auto& [list, numbers] : wanted_own_) take_own(contents_[list], *numbers);
    NEARDUP_TRY(split_long_lists());
    return result();
  }

 private:
  // What is to be looked for in a list of the second exchange.
  struct Wanted {
    uint32_t list = 0, document = 0, place = 0;
    Wide fingerprint = 0;
  };

  [[nodiscard]] size_t num_documents() const {
    return layout_.num_words() == 0 ? 0 : question_.fingerprints.size() / layout_.num_words();
  }
  [[nodiscard]] Wide fingerprint(size_t document, size_t place) const {
    return layout_.fingerprint(question_.fingerprints.data() + document * layout_.num_words(), place);
  }

  void collect() {
    const size_t each = layout_.num_places() * num_tables_;
    lists_.reserve(question_.keys.size() + num_documents() * each);
    places_.reserve(question_.keys.size() + num_documents() * each);
    for (const uint64_t key : question_.keys) places_.push_back(lists_.add(store_.key_list(key)));
    for (size_t document = 0; document < num_documents(); ++document) {
      for (size_t place = 0; place < layout_.num_places(); ++place) {
        const Wide value = fingerprint(document, place);
        for (size_t table = 0; table < num_tables_; ++table)
          places_.push_back(lists_.add(store_.table_list(value, place, table)));
      }
    }
    found_keys_.resize(question_.keys.size());
    found_documents_.resize(num_documents());
  }

  void add_lists(Request& request, const ListTable& lists, size_t first) {
    std::string name;
    for (size_t i = first; i < lists.size();) {
      size_t end = i + 1;
      if (is_set(lists[i])) {
        request.begin(2, Shape::texts());
        request.add("SMEMBERS");
      } else {
        while (end < lists.size() && end < i + kListsEach && !is_set(lists[end])) ++end;
        request.begin(1 + end - i, Shape::texts(end - i));
        request.add("MGET");
      }
      for (; i < end; ++i) {
        name.clear();
        store_.names.append(name, lists[i]);
        request.add(name);
      }
    }
  }
  [[nodiscard]] bool is_set(const ListId& id) const { return layout_.is_sets() && id.kind == ListKind::kTable; }

  // Views the texts of `replies`, from reply `at` on, for the lists from `first` on.
  Status take_lists(const Replies& replies, size_t at, const ListTable& lists, size_t first,
                    std::vector<std::string_view>& contents) {
    contents.resize(lists.size());
    for (size_t i = first; i < lists.size(); ++at) {
      if (is_set(lists[i])) {
        NEARDUP_TRY(take_members(replies, at, i));
        ++i;
        continue;
      }
      for (size_t k = 0; k < replies[at].size; ++k, ++i) {
        contents[i] = replies.text(replies.element(at, k));
        NEARDUP_TRY(check_whole(lists[i], contents[i]));
      }
    }
    return {};
  }

  Status take_members(const Replies& replies, size_t at, size_t list) {
    members_.resize(std::max(members_.size(), list + 1));
    for (size_t k = 0; k < replies[at].size; ++k) {
      const std::string text(replies.text(replies.element(at, k)));
      char* end = nullptr;
      members_[list].push_back(static_cast<uint64_t>(std::strtoll(text.c_str(), &end, 10)));
      if (text.empty() || *end != '\0') return store_.damaged(store_.names.of(lists_[list]), "a member is no number");
    }
    return {};
  }

  [[nodiscard]] PackedList entries_of(const ListId& id, std::string_view bytes) const {
    return id.kind == ListKind::kTable ? store_.table_entries(bytes, id.table % num_tables_)
                                       : store_.key_entries(bytes);
  }
  [[nodiscard]] Status check_whole(const ListId& id, std::string_view bytes) const {
    const bool is_whole =
        id.kind == ListKind::kOwn ? bytes.size() % kOwnEntryBytes == 0 : entries_of(id, bytes).is_whole();
    if (is_whole) return {};
    return store_.damaged(store_.names.of(id), "its length is not one that it can have");
  }

  // Numbers are reserved before it is asked in which run the store is: so they are of that run or of one before.
  Status ask() {
    Request request;
    if (question_.reserve > 0)
      request.command({"INCRBY", store_.names.simple('n'), std::to_string(question_.reserve)}, Shape::integer());
    const size_t at = request.num_commands();
    request.command({"MGET", store_.names.simple('i'), store_.names.simple('e'), store_.names.simple('s'),
                     store_.names.simple('n')},
                    Shape::texts(4));
    add_lists(request, lists_, 0);
    NEARDUP_TRY(ask_in_one_run(request, at));
    const Replies& first = replies_.back();
    NEARDUP_ASSIGN(state_, store_.state_of(first.text(first.element(at, 1))));
    found_.shared = first.text(first.element(at, 2));
    NEARDUP_TRY(take_lists(first, at + 1, lists_, 0, contents_));
    num_asked_ = lists_.size();
    return {};
  }

  Status ask_in_one_run(const Request& request, size_t at) {
    constexpr int kMostTries = 5;
    for (int tries = 0; tries < kMostTries; ++tries) {
      replies_.clear();
      NEARDUP_ASSIGN(replies_.emplace_back(), redis::ask(store_.pool, request));
      const Replies& replies = replies_.back();
      NEARDUP_ASSIGN(const StoreIdentity identity, store_.identity_of(replies.text(replies.element(at, 0))));
      run_ = identity.run;
      if (!store_.runs.heard(identity)) {
        NEARDUP_TRY(store_.pool.connect_anew());
        continue;
      }
      NEARDUP_TRY(take_numbers(replies, at));
      if (question_.reserve == 0 || found_.first_reserved >= identity.first_number) return {};
    }
    return fail(Code::kIo, store_.pool.uri().shown() +
                               ": the server was started again or became a master, and others have met it before; "
                               "open the store again (start a service anew)");
  }

  Status take_numbers(const Replies& replies, size_t at) {
    NEARDUP_ASSIGN(const uint64_t end, store_.next_number_of(replies.text(replies.element(at, 3))));
    found_.first_reserved = end;
    if (question_.reserve > 0) {
      const auto reserved_end = static_cast<uint64_t>(replies[0].integer);
      if (reserved_end < question_.reserve || end < reserved_end)
        return store_.damaged(store_.names.simple('n'), "it was made less meanwhile");
      found_.first_reserved = reserved_end - question_.reserve;
    }
    store_.runs.saw_numbers(end);
    if (end <= kNumberLimit) return {};
    return fail(Code::kUnsupported, store_.pool.uri().shown() +
                                        ": a store on Redis has room for some 2^40 numbers, and all are "
                                        "given; copy it into one more store");
  }

  void find_key(uint64_t key, size_t list, std::vector<uint64_t>& numbers) {
    const PackedList entries = store_.key_entries(contents_[list]);
    matches_.clear();
    find_equal(entries, layout_.key_value(key), matches_);
    entries.each_number(matches_, [&](size_t, uint64_t number) { numbers.push_back(number); });
    const auto has_own = [&](uint32_t match) { return entries.low(match) == kOwnListMark; };
    if (!std::ranges::any_of(matches_, has_own)) return;
    const ListId own = store_.own_list(key);
    if (store_.runs.knows_runs()) store_.own_lists.add(run_, own.value);
    wanted_own_.emplace_back(lists_.add(own), &numbers);
  }

  void find_fingerprints() {
    size_t at = question_.keys.size();
    for (uint32_t document = 0; document < num_documents(); ++document) {
      for (uint32_t place = 0; place < layout_.num_places(); ++place) {
        const Wide value = fingerprint(document, place);
        for (size_t table = 0; table < num_tables_; ++table, ++at) {
          if (layout_.is_sets())
            find_in_set({places_[at], document, place, value});
          else if (table == 0)
            find_in_first({places_[at], document, place, value}, contents_[places_[at]]);
          else
            find_in_other({places_[at], document, place, value}, table, places_[at - table]);
        }
      }
    }
  }

  void find_in_first(const Wanted& wanted, std::string_view bytes) {
    const PackedList entries = store_.table_entries(bytes, 0);
    matches_.clear();
    const FingerprintTable& first = layout_.tables()[0];
    // The lists differ in these bits of the two, which count as well.
    const Wide home = static_cast<Wide>(list_value(wanted));
    const int apart = fingerprint::count_ones<Wide>(home ^ first.bucket.gather(wanted.fingerprint));
    if (apart > layout_.max_distance()) return;
    find_within(entries, first.value.gather(wanted.fingerprint), layout_.max_distance() - apart, matches_);
    entries.each_number(matches_,
                        [&](size_t, uint64_t number) { found_documents_[wanted.document].push_back(number); });
  }
  [[nodiscard]] uint64_t list_value(const Wanted& wanted) const {
    return (wanted.list & kExtra) != 0 ? extra_[wanted.list & ~kExtra].value : lists_[wanted.list].value;
  }

  void find_in_other(const Wanted& wanted, size_t table, uint32_t home) {
    const PackedList entries = store_.table_entries(contents_[wanted.list], table);
    matches_.clear();
    const FingerprintTable& of = layout_.tables()[table];
    find_within(entries, of.value.gather(wanted.fingerprint), layout_.max_distance(), matches_);
    homes_.clear();
    for (const uint32_t match : matches_) homes_.push_back(layout_.home_of(entries.value(match)));
    std::ranges::sort(homes_);
    homes_.erase(std::unique(homes_.begin(), homes_.end()), homes_.end());
    for (const uint64_t value : homes_) {
      if (value == lists_[home].value) continue;  // was looked through
      const ListId id{ListKind::kTable, static_cast<uint16_t>(wanted.place * num_tables_), value};
      const uint32_t known = lists_.find(id);
      if (known != ListTable::kNone) {
        find_in_first({known, wanted.document, wanted.place, wanted.fingerprint}, contents_[known]);
        continue;
      }
      wanted_.push_back({extra_.add(id) | kExtra, wanted.document, wanted.place, wanted.fingerprint});
    }
  }

  // Of sets: the key of each fingerprint that is near, whose list tells who has it.
  void find_in_set(const Wanted& wanted) {
    if (members_.size() <= wanted.list) members_.resize(wanted.list + 1);
    const auto value = static_cast<uint64_t>(wanted.fingerprint);
    auto& near = near_keys_[Layout::fingerprint_key(wanted.fingerprint, wanted.place)];
    for (const uint64_t member : members_[wanted.list]) {
      if (fingerprint::count_ones<uint64_t>(member ^ value) > layout_.max_distance()) continue;
      const uint64_t key = Layout::fingerprint_key(member, wanted.place);
      near.push_back(key);
      wanted_keys_.push_back({key, wanted.document});
      lists_.add(store_.key_list(key));
    }
  }

  // For the lists that were added meanwhile.
  Status ask_for_new() {
    Request request;
    add_lists(request, lists_, num_asked_);
    const size_t num_before = request.num_commands();
    add_lists(request, extra_, extra_contents_.size());
    if (request.num_commands() == 0) return {};
    const Replies& replies = replies_.emplace_back();
    NEARDUP_ASSIGN(replies_.back(), redis::ask(store_.pool, request));
    NEARDUP_TRY(take_lists(replies, 0, lists_, num_asked_, contents_));
    num_asked_ = lists_.size();
    return take_lists(replies, num_before, extra_, extra_contents_.size(), extra_contents_);
  }
  static void take_own(std::string_view bytes, std::vector<uint64_t>& numbers) {
    for (size_t at = 0; at < bytes.size(); at += kOwnEntryBytes)
      numbers.push_back(load_little<uint64_t>(bytes.data() + at, kOwnEntryBytes));
  }

  // A list is long by one key most of the time, which then moves into its own.
  Status split_long_lists() {
    for (size_t i = 0; i < contents_.size(); ++i)
      if (lists_[i].kind == ListKind::kKeys && contents_[i].size() > RedisStore::kLongListBytes)
        NEARDUP_TRY(split_list(store_, state_, lists_[i], contents_[i]));
    return {};
  }

  Result<Found> result() {
    append(found_keys_, found_.by_key);
    append(found_documents_, found_.by_fingerprint);
    if (question_.to_commit) found_.seen = seen();
    return std::move(found_);
  }
  static void append(std::vector<std::vector<uint64_t>>& from, NumberLists& to) {
    for (std::vector<uint64_t>& numbers : from) {
      std::ranges::sort(numbers);
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
      for (const uint64_t number : numbers) to.add(number);
      to.end_list();
    }
  }

  std::shared_ptr<const RedisSeen> seen() {
    auto seen = std::make_shared<RedisSeen>();
    seen->state = state_;
    seen->run = run_;
    members_.resize(lists_.size());
    for (size_t i = 0; i < lists_.size(); ++i) seen->states.push_back(state_of_list(i));
    for (const auto& [of, keys] : near_keys_)
      for (const uint64_t key : keys) seen->near_lists[of].push_back(lists_.find(store_.key_list(key)));
    seen->lists = std::move(lists_);
    seen->members = std::move(members_);
    return seen;
  }
  [[nodiscard]] ListState state_of_list(size_t i) const {
    if (is_set(lists_[i])) return {.length = static_cast<uint32_t>(members_[i].size())};
    ListState state{.length = static_cast<uint32_t>(contents_[i].size())};
    const bool has_numbers =
        lists_[i].kind == ListKind::kKeys || (lists_[i].kind == ListKind::kTable && lists_[i].table % num_tables_ == 0);
    if (has_numbers && state_.most_page() > 0)
      state.page = static_cast<uint32_t>(entries_of(lists_[i], contents_[i]).last_page());
    return state;
  }

  static constexpr uint32_t kExtra = uint32_t{1} << 31;  // of the extra lists, which nothing stands on
  RedisStore& store_;
  const Layout& layout_;
  const Question& question_;
  size_t num_tables_;
  ListTable lists_, extra_;
  std::vector<uint32_t> places_;  // among lists_: of each key, then of each document, place and table
  std::deque<Replies> replies_;   // viewed by what follows
  size_t num_asked_ = 0;          // of lists_
  State state_;
  uint64_t run_ = 0;
  std::vector<std::string_view> contents_, extra_contents_;
  std::vector<std::vector<uint64_t>> members_;
  std::vector<std::vector<uint64_t>> found_keys_, found_documents_;
  std::vector<Wanted> wanted_;
  std::vector<std::pair<uint64_t, uint32_t>> wanted_keys_;
  std::vector<std::pair<uint32_t, std::vector<uint64_t>*>> wanted_own_;
  std::unordered_map<uint64_t, std::vector<uint64_t>> near_keys_;
  std::vector<uint32_t> matches_;
  std::vector<uint64_t> homes_;
  Found found_;
};

}  // namespace

Result<Found> look_up(RedisStore& store, const Question& question) {
  if (store.layout.num_words() == 0 && !question.fingerprints.empty())
    return fail(Code::kInvalidArgument, "a store without fingerprints was asked for some");
  return LookUp(store, question).run();
}

}  // namespace neardup::remote::redis

#include "neardup/remote/redis/redis_backend.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/hash.h"
#include "neardup/base/work_place.h"
#include "neardup/remote/redis/redis_store.h"
#include "neardup/remote/redis/script.h"
#include "neardup/remote/redis/server_facts.h"
#include "neardup/remote/redis/store_header.h"
#include "neardup/store/own_files.h"

namespace neardup::remote {
namespace redis {

tl::unexpected<Error> RedisStore::damaged(std::string_view key, std::string_view what) const {
  std::string shown;
  for (const char c : key)
    shown += c > ' ' && c < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return fail(Code::kCorruption,
              fmt::format("{}: the key '{}' does not hold what a store writes: {}; restore the server's "
                          "files from a copy, or make the store again",
                          pool.uri().shown(), shown, what));
}

Result<State> RedisStore::state_of(std::string_view text) const {
  State state;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), state.value);
  if (error == std::errc() && end == text.data() + text.size()) return state;
  if (text.empty())
    return fail(Code::kNotFound, pool.uri().shown() +
                                     ": the store is there no more; somebody dropped it, or the server "
                                     "lost its data (its persistence is off)");
  return damaged(names.simple('e'), "it is no number");
}

namespace {

// Makes the header unless there is one.
constexpr std::string_view kCreateScript = R"lua(#!lua
if redis.call('EXISTS', KEYS[1]) == 1 then return 'exists' end
redis.call('HSET', KEYS[1], unpack(ARGV))
redis.call('SET', KEYS[2], '0')
redis.call('SET', KEYS[3], '0')
return 'made'
)lua";

class RedisBackend : public Backend {
 public:
  RedisBackend(std::unique_ptr<RedisStore> store, TemporaryFolder files)
      : store_(std::move(store)), files_(std::move(files)) {}

  const store::StoreSettings& settings() const override { return store_->settings; }
  std::string file_path(std::string_view name) const override { return store::own_file_path(files_.path(), name); }
  Result<uint64_t> reserve_numbers(uint64_t count) override {
    NEARDUP_ASSIGN(const Found found, redis::look_up(*store_, {.keys = {}, .fingerprints = {}, .reserve = count}));
    return found.first_reserved;
  }
  Result<Found> look_up(const Question& question) override { return redis::look_up(*store_, question); }
  Result<std::vector<std::string>> read(std::span<const uint64_t> numbers) override {
    return redis::read_records(*store_, numbers);
  }
  Result<std::vector<uint64_t>> numbers_from(uint64_t first, size_t limit) override {
    return redis::numbers_from(*store_, first, limit);
  }
  Result<std::vector<bool>> commit(const Seen& seen, std::span<const Change> changes) override {
    return redis::commit(*store_, dynamic_cast<const RedisSeen&>(seen), changes);
  }
  bool commits_in_turn() const override { return false; }
  Status compact() override { return redis::compact(*store_); }
  Result<BackendFigures> figures() override { return redis::figures(*store_); }

 private:
  std::unique_ptr<RedisStore> store_;
  TemporaryFolder files_;
};

// Name of a key of a store whose layout is not known.
std::string key_of(const RemoteUri& uri, char letter, std::string_view rest = {}) {
  return fmt::format("{{{}}}{}{}", uri.name, letter, rest);
}

Result<Fields> read_fields(ConnectionPool& pool) {
  const RemoteUri& uri = pool.uri();
  Request request;
  request.command({"HGETALL", key_of(uri, 'm')});
  NEARDUP_ASSIGN(const Replies replies, pool.ask(request));
  Fields fields;
  for (size_t i = 0; i + 1 < replies[0].size; i += 2)
    fields.emplace(replies.text(replies.element(0, i)), replies.text(replies.element(0, i + 1)));
  if (!fields.empty()) return fields;
  return fail(Code::kNotFound, fmt::format("{}: there is no store of this name; make one: neardup index create {}",
                                           uri.shown(), uri.shown()));
}

Status check_same(const RemoteUri& uri, const store::StoreSettings& settings, const LayoutNumbers& numbers) {
  NEARDUP_ASSIGN(const LayoutNumbers wanted, Layout::choose(settings, uri));
  const auto differs = [&](std::string_view option, auto member) {
    return uri.options.contains(option) && wanted.*member != numbers.*member;
  };
  for (const bool is_other : {differs("layout", &LayoutNumbers::kind), differs("tables", &LayoutNumbers::choose)})
    if (is_other)
      return fail(Code::kInvalidArgument,
                  uri.shown() +
                      ": the store was made with another layout or other tables than the URI says; leave these "
                      "options out");
  return {};
}

// Fetches a file of the store.
Result<store::GivenFile> fetch_file(ConnectionPool& pool, const store::OwnFile& file) {
  Request request;
  request.command({"GET", key_of(pool.uri(), 'f', file.name)});
  NEARDUP_ASSIGN(const Replies replies, pool.ask(request));
  store::GivenFile given{file.name, std::string(replies.text(replies[0]))};
  if (given.bytes.size() == file.size_bytes && hash64(given.bytes) == file.checksum) return given;
  return fail(Code::kCorruption,
              fmt::format("{}: its file '{}' is not the one that the store was made with; restore the "
                          "server's files from a copy",
                          pool.uri().shown(), file.name));
}

Result<std::unique_ptr<Backend>> open_with(std::unique_ptr<RedisStore> store, std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(TemporaryFolder folder, make_work_place());
  NEARDUP_TRY(store::write_own_files(folder.path(), files));
  return std::make_unique<RedisBackend>(std::move(store), std::move(folder));
}

Status send_files(ConnectionPool& pool, std::span<const store::GivenFile> files) {
  for (const store::GivenFile& file : files) {
    Request request;
    request.command({"SET", key_of(pool.uri(), 'f', file.name), file.bytes});
    NEARDUP_TRY(pool.ask(request));
  }
  return {};
}

Status write_header(ConnectionPool& pool, const Fields& fields) {
  const RemoteUri& uri = pool.uri();
  ScriptCall call{kCreateScript, {key_of(uri, 'm'), key_of(uri, 'e'), key_of(uri, 'n')}, {}};
  for (const auto& [name, value] : fields) {
    call.words.push_back(name);
    call.words.push_back(value);
  }
  NEARDUP_ASSIGN(const std::vector<ScriptAnswer> answers, run_scripts(pool, {&call, 1}));
  if (answers[0].is_error) return refusal(uri, answers[0].text);
  if (answers[0].text == "made") return {};
  return fail(Code::kInvalidArgument, uri.shown() + ": there is a store of this name; drop it, or give another name");
}

}  // namespace
}  // namespace redis

using namespace redis;

Result<std::unique_ptr<Backend>> create_redis_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                      const RemoteOptions& options,
                                                      std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(const LayoutNumbers numbers, Layout::choose(settings, uri));
  if (!Layout::check(settings, numbers))
    return fail(Code::kInvalidArgument,
                fmt::format("{}: a store on Redis cannot have {} fingerprints of {} bits within {}", uri.shown(),
                            settings.num_fingerprints, settings.num_bits, settings.max_distance));
  settings.files.clear();
  for (const store::GivenFile& file : files)
    settings.files.push_back({file.name, file.bytes.size(), hash64(file.bytes)});
  auto store = std::make_unique<RedisStore>(uri, options, settings, numbers);
  NEARDUP_ASSIGN(const ServerFacts facts, ask_facts(store->pool));
  NEARDUP_TRY(check_server(uri, facts));
  NEARDUP_ASSIGN(const bool is_there, is_redis_store(uri, options));
  if (is_there)
    return fail(Code::kInvalidArgument, uri.shown() + ": there is a store of this name; drop it, or give another name");
  NEARDUP_TRY(send_files(store->pool, files));
  NEARDUP_TRY(write_header(store->pool, fields_of(settings, numbers)));
  return open_with(std::move(store), files);
}

Result<std::unique_ptr<Backend>> open_redis_backend(const RemoteUri& uri, const RemoteOptions& options) {
  ConnectionPool pool(uri, options);
  NEARDUP_ASSIGN(const ServerFacts facts, ask_facts(pool));
  NEARDUP_TRY(check_server(uri, facts));
  NEARDUP_ASSIGN(const Fields fields, read_fields(pool));
  auto parsed = parse_fields(fields);
  if (!parsed)
    return fail(parsed.error().code,
                fmt::format("{}: the header of the store: {}", uri.shown(), parsed.error().message));
  const auto& [settings, numbers] = *parsed;
  NEARDUP_TRY(check_same(uri, settings, numbers));
  std::vector<store::GivenFile> files;
  for (const store::OwnFile& file : settings.files) {
    NEARDUP_ASSIGN(store::GivenFile given, fetch_file(pool, file));
    files.push_back(std::move(given));
  }
  return open_with(std::make_unique<RedisStore>(uri, options, settings, numbers), files);
}

Result<bool> is_redis_store(const RemoteUri& uri, const RemoteOptions& options) {
  ConnectionPool pool(uri, options);
  NEARDUP_TRY(ask_facts(pool));  // a server that is not there is told at once, as by open_redis_backend()
  Request request;
  request.command({"EXISTS", key_of(uri, 'm')});
  NEARDUP_ASSIGN(const Replies replies, pool.ask(request));
  return replies[0].integer == 1;
}

Status drop_redis_store(const RemoteUri& uri, const RemoteOptions& options) {
  ConnectionPool pool(uri, options);
  NEARDUP_TRY(ask_facts(pool));
  NEARDUP_TRY(read_fields(pool));
  Request first;
  first.command({"UNLINK", key_of(uri, 'e'), key_of(uri, 'm')});  // from here on nobody finds a store
  NEARDUP_TRY(pool.ask(first));
  const std::string pattern = key_of(uri, '*');
  std::string cursor = "0";
  do {
    Request scan;
    scan.command({"SCAN", cursor, "MATCH", pattern, "COUNT", "1000"});
    NEARDUP_ASSIGN(const Replies replies, pool.ask(scan));
    cursor = replies.text(replies.element(0, 0));
    const auto& keys = replies.element(0, 1);
    if (keys.size == 0) continue;
    Request remove;
    remove.begin(1 + keys.size);
    remove.add("UNLINK");
    for (size_t i = 0; i < keys.size; ++i) remove.add(replies.text(replies.element(0, 2 + i)));
    NEARDUP_TRY(pool.ask(remove));
  } while (cursor != "0");
  return {};
}

}  // namespace neardup::remote

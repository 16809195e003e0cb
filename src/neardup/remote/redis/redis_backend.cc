#include "neardup/remote/redis/redis_backend.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/hash.h"
#include "neardup/base/work_place.h"
#include "neardup/remote/nonce.h"
#include "neardup/remote/redis/redis_store.h"
#include "neardup/remote/redis/server_facts.h"
#include "neardup/remote/redis/store_header.h"
#include "neardup/remote/redis/store_life.h"
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
  return damaged(names.simple('e'), "it is no number");
}

Result<StoreIdentity> RedisStore::identity_of(std::string_view text) const {
  if (text.empty())
    return fail(Code::kIo, pool.uri().shown() +
                               ": the store is there no more; somebody dropped it, or the server lost its data (its "
                               "persistence is off): restore the server's files from a copy, or make the store again "
                               "and open that (start a service anew)");
  const auto identity = StoreIdentity::parse(text);
  if (!identity) return damaged(names.simple('i'), identity.error().message);
  if (identity->id == id) return identity;
  return fail(Code::kIo, pool.uri().shown() +
                             ": another store was made under this name since it was opened; open the store again "
                             "(start a service anew)");
}

Result<uint64_t> RedisStore::next_number_of(std::string_view text) const {
  constexpr uint64_t kMost = 2 * kNumberLimit;  // those asked for in vain count
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number <= kMost) return number;
  return damaged(names.simple('n'), "it is no number of a document");
}

namespace {

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

Result<std::unique_ptr<Backend>> open_with(std::unique_ptr<RedisStore> store, std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(TemporaryFolder folder, make_work_place());
  NEARDUP_TRY(store::write_own_files(folder.path(), files));
  return std::make_unique<RedisBackend>(std::move(store), std::move(folder));
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
  ConnectionPool pool(uri, options);
  NEARDUP_ASSIGN(const ServerFacts facts, ask_facts(pool));
  NEARDUP_TRY(check_server(uri, facts));
  const StoreIdentity identity{.id = new_nonce(), .run = run_of(facts)};
  NEARDUP_TRY(make_store(pool, identity, fields_of(settings, numbers), files));
  return open_with(std::make_unique<RedisStore>(uri, options, settings, numbers, identity.id), files);
}

Result<std::unique_ptr<Backend>> open_redis_backend(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_TRY(Layout::check_options(uri));
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
  NEARDUP_ASSIGN(const uint64_t id, id_of(uri, fields));
  std::vector<store::GivenFile> files;
  for (const store::OwnFile& file : settings.files) {
    NEARDUP_ASSIGN(store::GivenFile given, fetch_file(pool, id, file));
    files.push_back(std::move(given));
  }
  return open_with(std::make_unique<RedisStore>(uri, options, settings, numbers, id), files);
}

Result<bool> is_redis_store(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_TRY(Layout::check_options(uri));
  ConnectionPool pool(uri, options);
  NEARDUP_TRY(ask_facts(pool));  // a server that is not there is told at once, as by open_redis_backend()
  return has_header(pool);
}

Status drop_redis_store(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_TRY(Layout::check_options(uri));
  ConnectionPool pool(uri, options);
  NEARDUP_TRY(ask_facts(pool));
  return drop_store(pool);
}

}  // namespace neardup::remote

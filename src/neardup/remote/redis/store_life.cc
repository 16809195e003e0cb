#include "neardup/remote/redis/store_life.h"

#include <fmt/format.h>

#include <charconv>

#include "neardup/base/hash.h"
#include "neardup/remote/nonce.h"
#include "neardup/remote/redis/exchange.h"
#include "neardup/remote/redis/key_prefix.h"
#include "neardup/remote/redis/script.h"

namespace neardup::remote::redis {
namespace {

constexpr std::string_view kId = "id";
constexpr std::string_view kDropped = "dropped";  // the field of a header that has no other one

// Makes the header unless there is one, or a file was taken away. KEYS: header, identity, state, next number, what
// clients share, files. ARGV: identity, state, fields.
constexpr std::string_view kMakeScript = R"lua(#!lua
local call = redis.call
if call('EXISTS', KEYS[1]) == 1 then
  return call('HEXISTS', KEYS[1], 'dropped') == 1 and 'dropped' or 'exists'
end
for i = 6, #KEYS do
  if call('EXISTS', KEYS[i]) == 0 then return 'files' end
end
call('HSET', KEYS[1], unpack(ARGV, 3))
call('SET', KEYS[2], ARGV[1])
call('SET', KEYS[3], ARGV[2])
call('SET', KEYS[4], '0')
call('UNLINK', KEYS[5])
return 'made'
)lua";

// Makes a header one of a store that is being dropped, which nobody can open, and returns who began that. KEYS: header,
// identity, state. ARGV: who begins.
constexpr std::string_view kBeginDropScript = R"lua(#!lua flags=allow-oom
local call = redis.call
if call('EXISTS', KEYS[1]) == 0 then return false end
if call('TYPE', KEYS[1]).ok == 'hash' then
  local mark = call('HGET', KEYS[1], 'dropped')
  if mark then return mark end
end
call('UNLINK', unpack(KEYS))
call('HSET', KEYS[1], 'dropped', ARGV[1])
return ARGV[1]
)lua";

// Removes keys, unless somebody has removed the last ones and perhaps made another store. KEYS: header, the others.
constexpr std::string_view kDropScript = R"lua(#!lua flags=allow-oom
if redis.call('HGET', KEYS[1], 'dropped') ~= ARGV[1] then return 'gone' end
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 'removed'
)lua";

// Name of a key of a store whose layout is not known.
std::string key_of(const RemoteUri& uri, char letter, std::string_view rest = {}) {
  return braced(uri.name) + letter + std::string(rest);
}
std::string file_key(const RemoteUri& uri, uint64_t id, std::string_view name) {
  return key_of(uri, 'f', hexadecimal(id) + std::string(name));
}

Result<std::string> run_script(ConnectionPool& pool, const ScriptCall& call) {
  NEARDUP_ASSIGN(std::vector<ScriptAnswer> answers, run_scripts(pool, {&call, 1}));
  if (answers[0].is_error) return refusal(pool.uri(), answers[0].text);
  return std::move(answers[0].text);
}

Status send_files(ConnectionPool& pool, uint64_t id, std::span<const store::GivenFile> files) {
  for (const store::GivenFile& file : files) {
    Request request;
    request.command({"SET", file_key(pool.uri(), id, file.name), file.bytes});
    NEARDUP_TRY(ask(pool, request));
  }
  return {};
}

tl::unexpected<Error> being_dropped(Code code, const RemoteUri& uri) {
  return fail(code, fmt::format("{0}: a store of this name is being dropped; see that it ends: neardup index drop {0}",
                                uri.shown()));
}

tl::unexpected<Error> cannot_make(const RemoteUri& uri, std::string_view why) {
  if (why == "dropped") return being_dropped(Code::kInvalidArgument, uri);
  if (why == "files")
    return fail(Code::kIo, uri.shown() + ": a store of this name was dropped at the same moment; try again");
  return fail(Code::kInvalidArgument, uri.shown() + ": there is a store of this name; open it, or give another name");
}

Result<std::string> write_header(ConnectionPool& pool, const StoreIdentity& identity, const Fields& fields,
                                 std::span<const store::GivenFile> files) {
  const RemoteUri& uri = pool.uri();
  ScriptCall call{kMakeScript,
                  {key_of(uri, 'm'), key_of(uri, 'i'), key_of(uri, 'e'), key_of(uri, 'n'), key_of(uri, 's')},
                  {identity.text(), std::to_string(random_epochs() * kEpochStep)}};
  for (const store::GivenFile& file : files) call.keys.push_back(file_key(uri, identity.id, file.name));
  for (const auto& [name, value] : fields) {
    call.words.push_back(name);
    call.words.push_back(value);
  }
  return run_script(pool, call);
}

// Returns whether the store was still being dropped by whoever `mark` says.
Result<bool> drop_keys(ConnectionPool& pool, const std::string& mark, std::vector<std::string> keys) {
  ScriptCall call{kDropScript, {key_of(pool.uri(), 'm')}, {mark}};
  for (std::string& key : keys)
    if (key != call.keys[0]) call.keys.push_back(std::move(key));
  NEARDUP_ASSIGN(const std::string answer, run_script(pool, call));
  return answer == "removed";
}

// The mark goes last: until then nobody makes a store over what is left.
Status drop_header(ConnectionPool& pool, const std::string& mark) {
  const std::string header = key_of(pool.uri(), 'm');
  NEARDUP_TRY(run_script(pool, {kDropScript, {header, header}, {mark}}));
  return {};
}

}  // namespace

Status make_store(ConnectionPool& pool, const StoreIdentity& identity, Fields fields,
                  std::span<const store::GivenFile> files) {
  fields.emplace(kId, hexadecimal(identity.id));
  NEARDUP_TRY(send_files(pool, identity.id, files));
  NEARDUP_ASSIGN(const std::string answer, write_header(pool, identity, fields, files));
  if (answer == "made") return {};
  for (const store::GivenFile& file : files) {
    Request request;
    request.command({"UNLINK", file_key(pool.uri(), identity.id, file.name)});
    NEARDUP_TRY(ask(pool, request));
  }
  return cannot_make(pool.uri(), answer);
}

Result<Fields> read_fields(ConnectionPool& pool) {
  const RemoteUri& uri = pool.uri();
  Request request;
  request.command({"HGETALL", key_of(uri, 'm')}, Shape::pairs());
  NEARDUP_ASSIGN(const Replies replies, ask(pool, request));
  Fields fields;
  for (size_t i = 0; i + 1 < replies[0].size; i += 2)
    fields.emplace(replies.text(replies.element(0, i)), replies.text(replies.element(0, i + 1)));
  if (fields.contains(kDropped)) return being_dropped(Code::kNotFound, uri);
  if (!fields.empty()) return fields;
  return fail(Code::kNotFound, fmt::format("{}: there is no store of this name; make one: neardup index create {}",
                                           uri.shown(), uri.shown()));
}

Result<uint64_t> id_of(const RemoteUri& uri, const Fields& fields) {
  const auto found = fields.find(kId);
  const std::string_view text = found == fields.end() ? std::string_view() : found->second;
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id, 16);
  if (error == std::errc() && end == text.data() + text.size() && hexadecimal(id) == text) return id;
  return fail(Code::kCorruption,
              fmt::format("{}: the header of the store: its field '{}' is not there, or is not what a store of this "
                          "version writes",
                          uri.shown(), kId));
}

Result<store::GivenFile> fetch_file(ConnectionPool& pool, uint64_t id, const store::OwnFile& file) {
  Request request;
  request.command({"GET", file_key(pool.uri(), id, file.name)}, Shape::text());
  NEARDUP_ASSIGN(const Replies replies, ask(pool, request));
  store::GivenFile given{file.name, std::string(replies.text(replies[0]))};
  if (given.bytes.size() == file.size_bytes && hash64(given.bytes) == file.checksum) return given;
  return fail(Code::kCorruption,
              fmt::format("{}: its file '{}' is not the one that the store was made with; restore the "
                          "server's files from a copy",
                          pool.uri().shown(), file.name));
}

Result<bool> has_header(ConnectionPool& pool) {
  Request request;
  request.command({"EXISTS", key_of(pool.uri(), 'm')}, Shape::integer());
  NEARDUP_ASSIGN(const Replies replies, ask(pool, request));
  return replies[0].integer == 1;
}

Status drop_store(ConnectionPool& pool) {
  const RemoteUri& uri = pool.uri();
  const ScriptCall begin{
      kBeginDropScript, {key_of(uri, 'm'), key_of(uri, 'i'), key_of(uri, 'e')}, {hexadecimal(new_nonce())}};
  NEARDUP_ASSIGN(const std::string mark, run_script(pool, begin));
  if (mark.empty()) {
    NEARDUP_TRY(read_fields(pool));  // which says so
    return fail(Code::kIo, uri.shown() + ": another store was made meanwhile; try again");
  }
  std::string cursor = "0";
  do {
    Request scan;
    scan.command({"SCAN", cursor, "MATCH", key_of(uri, '*'), "COUNT", "1000"}, Shape::cursor());
    NEARDUP_ASSIGN(const Replies replies, ask(pool, scan));
    cursor = replies.text(replies.element(0, 0));
    std::vector<std::string> keys;
    for (size_t i = 0; i < replies.element(0, 1).size; ++i) keys.emplace_back(replies.text(replies.element(0, 2 + i)));
    NEARDUP_ASSIGN(const bool is_ours, drop_keys(pool, mark, std::move(keys)));
    if (!is_ours) return {};
  } while (cursor != "0");
  return drop_header(pool, mark);
}

}  // namespace neardup::remote::redis

#include "neardup/remote/redis/commit_script.h"

namespace neardup::remote::redis {

// KEYS: the state, the counters, what clients share. ARGV: the state as it was seen, what is added to it at once, the
// changes, the records. Without a flag it does not begin where the server has no memory left.
std::string_view commit_script() {
  return R"lua(#!lua
local call, try, unpack, spread = redis.call, redis.pcall, struct.unpack, unpack
local state, counters = KEYS[1], KEYS[2]
if call('GET', state) ~= ARGV[1] then return false end
local groups, num_groups, pos, size = {}, 0, 1, #ARGV[4]
while pos <= size do
  local key, body, count
  key, body, count, pos = unpack('<Bc0Ic0B', ARGV[4], pos)
  local of = { unpack('<' .. string.rep('H', count), ARGV[4], pos) }
  pos = of[count + 1]
  local length = try('STRLEN', key)
  if type(length) == 'table' then return length end
  num_groups = num_groups + 1
  groups[num_groups] = { key, body, count, of }
end
if ARGV[2] ~= '0' then call('INCRBY', state, ARGV[2]) end

-- Whether APPEND took room for twice as much: server_string.h.
local function doubles(before, after)
  if before < 32 then return after >= 32 end
  local header = before < 256 and 3 or before < 65536 and 5 or 9
  if header ~= (after < 256 and 3 or after < 65536 and 5 or 9) then return true end
  local step, size = 16, header + before + 1
  if size > 128 then
    local _, exponent = math.frexp(size - 1)
    step = 2 ^ (exponent - 3)
  end
  return math.ceil(size / step) ~= math.ceil((header + after + 1) / step)
end
local function trim(key) call('BITOP', 'OR', key, key) end
local keys, sizes, members, done = {}, {}, {}, 0
local function undo()
  for i = done, 1, -1 do
    if members[i] then
      call('SREM', keys[i], members[i])
    elseif sizes[i] == 0 then
      call('DEL', keys[i])
    else
      call('SET', keys[i], call('GETRANGE', keys[i], 0, sizes[i] - 1))
      trim(keys[i])
    end
  end
end
local problem
local function is(value, expected)
  if value == expected then return true end
  if type(value) == 'table' then problem = value end
  return false
end
local later, num_later = {}, 0
local function step(kind, after, key, value)
  if kind == 1 or kind == 2 then
    local length = try('APPEND', key, value)
    if type(length) == 'number' then
      done = done + 1
      keys[done], sizes[done], members[done] = key, length - #value, false
    end
    if not is(length, after) then return false end
    if kind == 2 then trim(key) end
  elseif kind == 0 then
    return is(try('STRLEN', key), after)
  elseif kind == 5 then
    local length = try('APPEND', key, value)
    if type(length) ~= 'number' then return is(length, 0) end
    done = done + 1
    keys[done], sizes[done], members[done] = key, length - #value, false
    if doubles(length - #value, length) then trim(key) end
  elseif kind == 3 then
    return is(try('SCARD', key), after)
  elseif kind == 4 or kind == 9 then
    if kind == 4 and not is(try('SCARD', key), after) then return false end
    local added = try('SADD', key, value)
    if type(added) == 'table' then return is(added, 0) end
    if added == 1 then
      done = done + 1
      keys[done], members[done] = key, value
    end
  elseif kind == 6 then
    call('SET', key, value)
  elseif kind == 7 then
    call('UNLINK', key)
  else
    num_later = num_later + 2
    later[num_later - 1], later[num_later] = key, value
  end
  return true
end

local changes = ARGV[3]
pos, size = 1, #changes
local happened, num = {}, 0
local documents, duplicates, erased, lost = 0, 0, 0, false
while pos <= size do
  local steps, has_shared, more, twice, fewer, shared
  steps, has_shared, more, twice, fewer, pos = unpack('<IBiii', changes, pos)
  if has_shared == 1 then shared, pos = unpack('<Ic0', changes, pos) end
  local ok, marks = not lost and not problem, num_later
  done = 0
  for _ = 1, steps do
    local kind, after, key, value
    kind, after, key, value, pos = unpack('<BIBc0Ic0', changes, pos)
    ok = ok and step(kind, after, key, value)
  end
  num = num + 1
  if ok then
    happened[num] = '1'
    documents, duplicates, erased = documents + more, duplicates + twice, erased + fewer
    if shared then
      call('SET', KEYS[3], shared)
      call('INCRBY', state, 65536)
    end
  else
    happened[num] = '0'
    undo()
    num_later = marks
    if shared then lost = true end
  end
end

local function append(key, value)
  local length = try('APPEND', key, value)
  if type(length) == 'table' then
    problem = length
  elseif length > #value then
    trim(key)
  end
end
for g = 1, num_groups do
  local key, body, count, of = spread(groups[g])
  local all, any, bits = true, false, {}
  for i = 1, count do
    local byte = math.floor((i - 1) / 8) + 1
    bits[byte] = bits[byte] or 0
    if happened[of[i]] == '1' then
      any = true
      bits[byte] = bits[byte] + 2 ^ ((i - 1) % 8)
    else
      all = false
    end
  end
  if all then
    append(key, string.char(1, count) .. body)
  elseif any then
    append(key, string.char(2, count, spread(bits)) .. body)
  end
end
for i = 1, num_later, 2 do append(later[i], later[i + 1]) end
if documents ~= 0 then call('HINCRBY', counters, 'documents', documents) end
if duplicates ~= 0 then call('HINCRBY', counters, 'duplicates', duplicates) end
if erased ~= 0 then call('HINCRBY', counters, 'erased', erased) end
if problem then return problem end
return table.concat(happened)
)lua";
}

std::string_view erase_script() {
  constexpr std::string_view kFirstWord = "#!lua";
  static const std::string script = "#!lua flags=allow-oom" + std::string(commit_script().substr(kFirstWord.size()));
  return script;
}

}  // namespace neardup::remote::redis

-- Batches of fingerprints or signatures for wrk, in the file format (docs/formats/fingerprints.md): each document new, ids of 30 bytes.
--   neardup fingerprint any.jsonl --recipe R --output-format bin -o head.bin      says recipe, columns and values
--   HEAD=head.bin DOCUMENTS=100 wrk -t1 -c8 -d10s --latency -s bench/http/batches.lua http://127.0.0.1:7464
-- ROUTE=query asks instead, ACCEPT=application/x-ndjson wants lines. Documents a second are requests times DOCUMENTS. libxxhash must be there.
local ffi = require("ffi")
ffi.cdef("uint64_t XXH3_64bits_withSeed(const void*, size_t, uint64_t);")
local hash = ffi.load("libxxhash.so.0").XXH3_64bits_withSeed
local count = tonumber(os.getenv("DOCUMENTS") or "100")
local route = os.getenv("ROUTE") or "check-and-insert"
local kIdBytes, kFixedBytes = 30, 41
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local function number_at(bytes, at)  -- of 4 bytes
  local a, b, c, d = bytes:byte(at + 1, at + 4)
  return a + b * 256 + c * 65536 + d * 16777216
end

local function mix(x)
  x = bit.bxor(x, bit.rshift(x, 30)) * 0xbf58476d1ce4e5b9ULL
  x = bit.bxor(x, bit.rshift(x, 27)) * 0x94d049bb133111ebULL
  return bit.bxor(x, bit.rshift(x, 31))
end

function init()
  local file = assert(io.open(assert(os.getenv("HEAD"), "HEAD=a file of fingerprints of the store's recipe"), "rb"))
  local bytes = file:read("*a")
  file:close()
  local head_bytes = 28 + number_at(bytes, 16) + number_at(bytes, 20) + 8
  value_bytes = 8 * number_at(bytes, 12) + 2 * number_at(bytes, 24)
  local payload = count * (kFixedBytes + value_bytes + kIdBytes)
  block, values = head_bytes, head_bytes + 24 + count * kFixedBytes
  ids, footer = values + count * value_bytes, head_bytes + 24 + payload
  body = ffi.new("uint8_t[?]", footer + 32)
  ffi.copy(body, bytes, head_bytes)
  head_chain = hash(body, head_bytes - 8, 0)
  put32(block, count)
  put64(block + 8, payload)
  ffi.copy(body + footer, "NDUPFEND", 8)
  put64(footer + 8, count)
  seed = mix(ffi.cast("uint64_t", os.time()) * 1000 + number)
  sent = 0
  headers = {["Content-Type"] = "application/octet-stream", ["Accept"] = os.getenv("ACCEPT")}
end

function put32(at, value) ffi.cast("uint32_t*", body + at)[0] = value end
function put64(at, value) ffi.cast("uint64_t*", body + at)[0] = value end

function request()
  sent = sent + 1
  for i = 0, count - 1 do
    local fixed, id = block + 24 + i * kFixedBytes, string.format("%02d-%d-%08d-%07d", number, os.time(), sent, i)
    put64(fixed, kIdBytes)
    body[fixed + 8] = 1
    ffi.fill(body + ids + i * kIdBytes, kIdBytes, 120)
    ffi.copy(body + ids + i * kIdBytes, id, math.min(#id, kIdBytes))
    for word = 0, value_bytes / 8 - 1 do
      seed = seed + 0x9e3779b97f4a7c15ULL
      put64(values + i * value_bytes + word * 8, mix(seed))
    end
    put64(fixed + 9, mix(seed + 1))
    put64(fixed + 17, mix(seed + 2))
  end
  local sum = hash(body + block + 24, footer - block - 24, hash(body + block, 16, 0))
  put64(block + 16, sum)
  put64(footer + 16, bit.bxor(mix(head_chain + 0x9e3779b97f4a7c15ULL), sum))
  put64(footer + 24, hash(body + footer, 24, 0))
  return wrk.format("POST", "/v1/" .. route, headers, ffi.string(body, footer + 32))
end

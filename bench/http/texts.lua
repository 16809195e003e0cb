-- Texts of 330 words (2 kB) for wrk: each one new, ids of their own.
--   wrk -t1 -c64 -d10s --latency -s bench/http/texts.lua http://127.0.0.1:7464            check-and-insert
--   ROUTE=query wrk -t1 -c64 -d10s --latency -s bench/http/texts.lua http://127.0.0.1:7464
-- wrk is a closed loop: its latencies are those of requests that it had time to send.
local route = os.getenv("ROUTE") or "check-and-insert"
local words = {}
for i = 1, 20000 do words[i] = string.format("w%x", i * 7919 % 1048576) end
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  math.randomseed(os.time() * 10 + number)
  sent = 0
end

function request()
  sent = sent + 1
  local text = {}
  for i = 1, 330 do text[i] = words[math.random(1, #words)] end
  local body = string.format('{"id":"%d-%d-%d","text":"%s"}', number, os.time(), sent, table.concat(text, " "))
  return wrk.format("POST", "/v1/" .. route, {["Content-Type"] = "application/json"}, body)
end

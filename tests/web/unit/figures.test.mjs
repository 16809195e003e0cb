import assert from 'node:assert/strict';
import {test} from 'node:test';
import {bytes, counted, duration, microseconds, short, similarity, time} from '../../../web/src/format.js';
import {History} from '../../../web/src/history.js';

const stats = (uptime, checked, more = {}) => ({
  uptime_seconds: uptime, documents: checked, checked, queried: 0, requests: checked,
  latency_us: {p50: 1000, p90: 2000, p99: 4000, window_seconds: 10}, process_memory_bytes: 5, store_memory_bytes: 3, ...more,
});

test('numbers are written as people read them', () => {
  assert.equal(counted(1, 'document'), '1 document');
  assert.equal(counted(1234567, 'document'), '1,234,567 documents');
  assert.deepEqual([0, 999, 1000, 1536, 999600, 5e9].map(bytes), ['0 bytes', '999 bytes', '1 kB', '1.54 kB', '1 MB', '5 GB']);
  assert.deepEqual([950, 2100, 1.5e6].map(microseconds), ['950 µs', '2.1 ms', '1.5 s']);
  assert.deepEqual([12.9, 180, 19200, 273600].map(duration), ['12 s', '3 min', '5 h 20 min', '3 d 4 h']);
  assert.deepEqual([1.234, 12.34, 1234.5].map(short), ['1.23', '12.3', '1,235']);
  assert.equal(time(0), '1970-01-01 00:00:00 UTC');
  assert.equal(time(1e18), '1000000000000000000');
});

test('what is not quite equal does not look equal', () => {
  assert.deepEqual([1, 0.9999, 0.995, 0.5, 0.0001, 0].map(similarity), ['1.00', '0.99', '0.99', '0.50', '0.01', '0.00']);
});

test('counts become rates by the clock of the server', () => {
  const history = new History();
  history.add(100, stats(10, 1000));
  assert.equal(history.latest('checked'), null);
  history.add(101, stats(12, 1500));
  assert.equal(history.latest('checked'), 250);
  assert.equal(history.latest('p99'), 4);
  history.add(102, stats(12, 1500));
  assert.equal(history.latest('checked'), null);
});

test('a server that was started anew begins anew', () => {
  const history = new History();
  history.add(100, stats(10, 1000));
  history.add(101, stats(1, 5));
  assert.deepEqual(history.times, [101]);
  history.add(100.5, stats(2, 5));
  assert.deepEqual(history.times, [100.5]);
});

test('no more is kept than there is room for, and a member that is missing is a gap', () => {
  const history = new History(3);
  for (let i = 0; i < 10; ++i) history.add(i, stats(i, i, {latency_us: undefined, store_memory_bytes: undefined}));
  assert.deepEqual(history.times, [7, 8, 9]);
  assert.deepEqual(history.p50, [null, null, null]);
  assert.deepEqual(history.store, [null, null, null]);
});

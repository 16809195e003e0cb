// What /v1/stats said, second by second: counts become rates.

/** Numbers that are plotted, by name; each is a list, as long as `times`. */
const kSeries = ['documents', 'checked', 'queried', 'requests', 'p50', 'p90', 'p99', 'process', 'store'];

export class History {
  /** Keeps the last `most` points. */
  constructor(most = 900) {
    this.most = most;
    this.clear();
  }

  clear() {
    this.times = [];
    this.last = null;
    for (const name of kSeries) this[name] = [];
  }

  /** Takes what the server said at `seconds`. A server that was started anew, or a clock that jumped, begins anew. */
  add(seconds, stats) {
    const before = this.last;
    if (before && (stats.uptime_seconds < before.stats.uptime_seconds || seconds <= before.seconds)) this.clear();
    const passed = this.last ? stats.uptime_seconds - this.last.stats.uptime_seconds : 0;
    const rate = (name) => passed > 0 ? Math.max(0, stats[name] - this.last.stats[name]) / passed : null;
    const latency = stats.latency_us ?? {};
    const milliseconds = (value) => value === undefined || value === null ? null : value / 1000;
    const point = {
      documents: stats.documents, checked: rate('checked'), queried: rate('queried'), requests: rate('requests'),
      p50: milliseconds(latency.p50), p90: milliseconds(latency.p90), p99: milliseconds(latency.p99),
      process: stats.process_memory_bytes, store: stats.store_memory_bytes,
    };
    this.times.push(seconds);
    for (const name of kSeries) this[name].push(point[name] ?? null);
    if (this.times.length > this.most) [this.times, ...kSeries.map((name) => this[name])].forEach((list) => list.shift());
    this.last = {seconds, stats};
  }

  /** Returns the last value of a series, or null. */
  latest(name) {
    return this[name].at(-1) ?? null;
  }
}

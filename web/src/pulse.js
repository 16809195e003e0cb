// What the server says of itself, asked again and again while the page is seen.
import {hasKey, onKey, request} from './api.js';
import {fill, h} from './dom.js';
import {counted} from './format.js';
import {History} from './history.js';

const kIntervalMs = 1000;
const kLongestMs = 30000;

/** `stats`: the last answer; `error`: what went wrong since; `history`: what the answers were. */
export const pulse = {stats: null, error: null, history: new History(), paused: false};
const listeners = new Set();
let timer = 0;
let wait = kIntervalMs;
let running = false;

/** Calls `listener` after every answer, and after none. Returns what ends that. */
export function onPulse(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function beat() {
  if (running) return;
  running = true;
  clearTimeout(timer);
  const {paused, stats} = pulse;
  try {
    const answer = await request('GET', '/v1/stats');
    if (stats && pulse.paused && !paused) return;  // held meanwhile, and there is something to hold
    pulse.stats = answer;
    pulse.error = null;
    pulse.history.add(Date.now() / 1000, pulse.stats);
    wait = kIntervalMs;
  } catch (error) {
    pulse.error = error;
    // A server that is down, or wants a key, is not asked each second.
    wait = Math.min(kLongestMs, wait * 2);
  } finally {
    running = false;
  }
  show();
  listeners.forEach((listener) => listener());
  schedule();
}

function schedule() {
  clearTimeout(timer);
  if (pulse.error?.status === 401 && !hasKey()) return;  // until there is a key
  if (!document.hidden && !pulse.paused) timer = setTimeout(beat, wait);
}

/** Holds the questions, or goes on with them. */
export function pause(paused) {
  pulse.paused = paused;
  if (paused) clearTimeout(timer);
  else beat();
}

function state() {
  if (pulse.error?.status === 401) return ['busy', 'wants a key'];
  if (pulse.error?.status === 403) return ['busy', 'not allowed'];
  if (pulse.error) return pulse.error.status === 0 ? ['gone', 'no answer'] : ['busy', 'not ready'];
  return pulse.stats.ready ? ['ready', counted(pulse.stats.documents, 'document')] : ['busy', 'not ready'];
}

function show() {
  const [name, words] = state();
  const place = document.getElementById('pulse');
  place.dataset.state = name;
  fill(place, h('span', {}, words));
  const button = document.getElementById('key-button');
  button.classList.toggle('main', pulse.error?.status === 401);
}

/** Begins. */
export function startPulse() {
  onKey(() => {
    wait = kIntervalMs;
    beat();
  });
  document.addEventListener('visibilitychange', () => document.hidden ? clearTimeout(timer) : pulse.paused || beat());
  beat();
}

// A server with documents, and Chromium that looks at its page. Environment: NEARDUP_PROGRAM; NEARDUP_TEST_MODULES, a
// node_modules with playwright-core and axe-core; NEARDUP_CHROMIUM; NEARDUP_SHOTS, a folder for pictures, if wanted.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {after, before} from 'node:test';

const modules = createRequire(join(process.env.NEARDUP_TEST_MODULES, 'from_here.js'));
const {chromium} = modules('playwright-core');
const axePath = modules.resolve('axe-core/axe.min.js');
const program = process.env.NEARDUP_PROGRAM;
const kLongestWaitMs = 60000;  // who waits longer hangs

/** Waits until `holds()` is true, or a promise of true. `what`: what is told where that does not come. */
export async function until(holds, what) {
  const end = Date.now() + kLongestWaitMs;
  while (!await holds()) {
    assert.ok(Date.now() < end, `${what}: not within ${kLongestWaitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts a server on a new folder. `keys`: whether it wants one. Returns {url, key, readKey, stop}. */
export async function startServer({keys = false, keepTexts = true} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neardup_page_'));
  const store = join(folder, 'store');
  const key = 'a-key-of-this-test-0123456789';
  const readKey = 'a-key-to-read-0123456789';
  execFileSync(program, ['index', 'create', store], {stdio: 'ignore'});
  const flags = ['serve', store, '--listen', '127.0.0.1:0'];
  if (keepTexts) flags.push('--keep-texts');
  if (keys) {
    for (const [flag, text] of [['--full-key-file', key], ['--read-key-file', readKey]]) {
      writeFileSync(join(folder, flag), text + '\n', {mode: 0o600});
      flags.push(flag, join(folder, flag));
    }
  }
  const server = spawn(program, flags, {stdio: ['ignore', 'pipe', 'ignore']});
  const line = await new Promise((resolve, reject) => {
    createInterface({input: server.stdout}).once('line', resolve);
    server.once('exit', (code) => reject(new Error(`the server ended: ${code}`)));
  });
  const url = /https?:\/\/\S+/.exec(line)[0];
  await until(async () => (await fetch(url + '/readyz')).ok, 'the server is ready');
  const stop = async () => {
    if (server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await ended;
    }
    rmSync(folder, {recursive: true, force: true});
  };
  return {url, key, readKey, stop};
}

/** Sends a request beside the page. Returns its answer. */
export async function send(server, path, body, method = 'POST') {
  const response = await fetch(server.url + path, {
    method, headers: {'Content-Type': 'application/json', Authorization: 'Bearer ' + server.key},
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

/** Stores documents, [[id, text], ...]. */
export async function insert(server, documents, more = {}) {
  for (const [id, text] of documents) await send(server, '/v1/check-and-insert', {id, text, ...more});
}

/** Returns a text of `length` made-up words; another seed gives another text. */
export function prose(seed, length = 120) {
  let state = seed * 7919 + 1;
  const random = (below) => (state = state * 48271 % 2147483647) % below;
  const syllables = ['ka', 'lo', 'mi', 'ren', 'tu', 'sa', 'vel', 'dor', 'ni', 'gra', 'po', 'shi'];
  const word = () => Array.from({length: 2 + random(3)}, () => syllables[random(syllables.length)]).join('');
  return Array.from({length}, word).join(' ') + '.';
}

/** Returns `text` with every `nth` word replaced. */
export function edited(text, nth = 40) {
  return text.split(' ').map((word, i) => i % nth === nth - 1 ? 'changed' : word).join(' ');
}

/** Starts a browser. */
export function launch() {
  return chromium.launch({executablePath: process.env.NEARDUP_CHROMIUM || '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : []});
}

/** Sets up a server and a browser for the tests of a file: {server, browser} are there once they run, and `seed` was called. */
export function stage(options = {}, seed = async () => {}) {
  const it = {};
  before(async () => {
    it.server = await startServer(options);
    await seed(it.server);
    it.browser = await launch();
  });
  after(async () => {
    await it.browser?.close();
    await it.server?.stop();
  });
  return it;
}

/** Opens the page of the service at `hash`: the rest as onAddress(). */
export function onPage(it, hash, work, options = {}) {
  const home = it.server.url + '/';
  return onAddress(it.browser, home + hash, (url) => url.startsWith(home), async (page) => {
    await page.waitForSelector('h1');
    await work(page);
  }, options);
}

/**
 * Opens `address`, has `work` done on it, and sees to it that nothing went wrong beside: no error in the console, no
 * request but those that are `allowed(url)`. `expected`: what errors of the console may say.
 */
export async function onAddress(browser, address, allowed, work, {expected = null, ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('request', (request) => {
    if (!allowed(request.url())) wrong.push(`request to ${request.url()}`);
  });
  page.setDefaultTimeout(kLongestWaitMs);
  try {
    await page.goto(address);
    await work(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.unrouteAll({behavior: 'ignoreErrors'}).catch(() => {});  // an answer that is under way is nobody's failure
    await context.close();
  }
}

/** Returns once the page has drawn what was asked for so far. */
function drawn(page) {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/**
 * Returns a function that returns the ms of the processor that the page's process has used: others that are at work do not change
 * them.
 */
export async function pageClock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async () => {
    const {metrics} = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({name}) => name === 'ProcessTime').value;
  };
}

/** Moves the slider of a threshold from its lowest value up. Returns ms of the processor for each move, the least first. */
export async function timesOfMoves(page) {
  const clock = await pageClock(page);
  const slider = page.locator('#x-threshold');
  const times = [];
  for (let value = Number(await slider.getAttribute('min')); value <= 100; value += 5) {
    const begin = await clock();
    await slider.evaluate((element, to) => {
      element.value = to;
      element.dispatchEvent(new Event('input'));
    }, value);
    await drawn(page);
    times.push(await clock() - begin);
  }
  return times.sort((a, b) => a - b);
}

/** Returns what axe finds wrong with what is shown. Its script comes in by a way that pages' policies forbid (bypassCSP). */
export async function violations(page) {
  if (await page.evaluate(() => !window.axe)) await page.addScriptTag({path: axePath});
  const result = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  return result.violations.map(({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 120))]);
}

/** Takes a picture where pictures are wanted. */
export async function picture(page, name) {
  if (!process.env.NEARDUP_SHOTS) return;
  mkdirSync(process.env.NEARDUP_SHOTS, {recursive: true});
  await page.screenshot({path: join(process.env.NEARDUP_SHOTS, name + '.png'), fullPage: true});
}

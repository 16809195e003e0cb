import assert from 'node:assert/strict';
import {test} from 'node:test';
import {onPage, prose, stage} from './harness.mjs';

const it = stage({keys: true});
const expected = /Failed to load resource/;
const find = (page) => page.getByRole('button', {name: 'Find near-duplicates'}).click();

async function enterKey(page, key) {
  await page.locator('#key-button').click();
  await page.fill('#key', key);
  await page.getByRole('dialog').getByRole('button', {name: 'Use'}).click();
  await page.waitForFunction((expected) => sessionStorage.getItem('neardup-key') === expected, key);
}

test('a server that wants a key gets one, which stays in the tab alone', () => onPage(it, '', async (page) => {
  await page.locator('#pulse', {hasText: 'wants a key'}).waitFor();
  await page.fill('#text', prose(1));
  await find(page);
  await page.locator('main').getByText('This server wants a key').first().waitFor();
  await enterKey(page, 'a-wrong-key-0123456789');
  await find(page);
  await page.getByRole('button', {name: 'Enter a key'}).click();
  await page.fill('#key', it.server.key);
  await page.keyboard.press('Enter');
  await page.locator('.verdict.new').waitFor();
  await page.locator('#pulse', {hasText: /\d+ documents?/}).waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage)), '{}');
  assert.equal(await page.evaluate(() => sessionStorage.getItem('neardup-key')), it.server.key);
  await page.locator('#key-button').click();
  await page.getByRole('button', {name: 'Forget the key'}).click();
  await page.waitForFunction(() => sessionStorage.getItem('neardup-key') === null);
}, {expected}));

test('a key to read finds, but does not insert', () => onPage(it, '', async (page) => {
  await enterKey(page, it.server.readKey);
  await page.fill('#text', prose(8));
  await find(page);
  await page.locator('.verdict.new').waitFor();
  await page.getByRole('button', {name: 'Insert'}).click();
  await page.locator('main').getByText('Not allowed with this key').first().waitFor();
  await enterKey(page, it.server.key);
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.locator('main').getByText('Stored as').waitFor();
}, {expected}));

const answers = [
  ['busy', {status: 429, headers: {'Retry-After': '3'}, json: {error: {code: 'busy', message: 'the queue is full'}}}, /The server is busy.*the queue is full.*Try again in 3 s/],
  ['full', {status: 507, headers: {'Retry-After': '9'}, json: {error: {code: 'disk_full', message: 'no room'}}}, /The disk of the server is full.*no room/],
  ['broken', {status: 500, json: {error: {code: 'corruption', message: 'segment 3'}}}, /The server failed.*segment 3/],
  ['no JSON', {status: 200, contentType: 'text/html', body: '<p>proxy</p>'}, /without valid JSON/],
  ['empty', {status: 413, body: ''}, /Too large.*The server answered 413/],
];

for (const [name, answer, words] of answers) {
  test(`trouble is told and can be tried again: ${name}`, () => onPage(it, '', async (page) => {
    await enterKey(page, it.server.key);
    await page.route('**/v1/check', (route) => route.fulfill(answer));
    await page.fill('#text', prose(2));
    await find(page);
    await page.locator('.note').waitFor();
    assert.match((await page.locator('.note').innerText()).replace(/\s+/g, ' '), words);
    await page.waitForFunction(() => document.getElementById('alert').textContent !== '');
    await page.unroute('**/v1/check');
    await page.getByRole('button', {name: 'Try again'}).click();
    await page.locator('.verdict.new').waitFor();
  }, {expected}));
}

test('a server that is gone is told, and so is its return', () => onPage(it, '', async (page) => {
  await enterKey(page, it.server.key);
  await page.locator('#pulse[data-state=ready]').waitFor();
  await page.route('**/v1/**', (route) => route.abort());
  await page.locator('#pulse[data-state=gone]').waitFor();
  await page.fill('#text', prose(3));
  await find(page);
  await page.locator('main').getByText('The server cannot be reached').first().waitFor();
  await page.unroute('**/v1/**');
  await page.locator('#pulse[data-state=ready]').waitFor();
}, {expected}));

test('a store without texts says why nothing is marked', () => onPage(it, '#/tags', async (page) => {
  await page.route('**/v1/stats', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    if (json.settings) json.settings.keep_texts = false;
    await route.fulfill({response, json});
  });
  await page.route('**/v1/query*', (route) => route.fulfill({json: {found: [{id: 'a', similarity: 0.5, distance: 64, exact: false, estimate: true}], truncated: false}}));
  await page.route('**/v1/explain', (route) => route.fulfill({status: 422, json: {error: {code: 'unsupported', message: 'no text of "a"'}}}));
  await enterKey(page, it.server.key);
  await page.waitForResponse('**/v1/stats');
  await page.locator('#pulse[data-state=ready]').waitFor();
  await page.getByRole('link', {name: 'Ask'}).click();
  await page.fill('#text', prose(3));
  await find(page);
  await page.locator('main').getByText('This store keeps no texts').waitFor();
  await page.locator('.badge', {hasText: 'estimated'}).waitFor();
  await page.getByRole('button', {name: 'Differences'}).click();
  await page.locator('main').getByText('This store does not offer that').first().waitFor();
}, {expected}));

test('a slow answer shows that it is on its way, and an old one does not replace a new one', () => onPage(it, '', async (page) => {
  await enterKey(page, it.server.key);
  const answer = (route, of) => route.fulfill({json: {verdict: 'exact', duplicate_of: of, similarity: 1, distance: 0}});
  let held;
  await page.route('**/v1/check', (route) => {
    if (held) return answer(route, 'new-one');
    held = route;  // and answered below
  });
  await page.fill('#text', prose(4));
  const [old] = await Promise.all([page.waitForRequest('**/v1/check'), find(page)]);
  await page.locator('.loading').first().waitFor();
  const ended = Promise.any(['requestfinished', 'requestfailed'].map((end) => page.waitForEvent(end, (request) => request === old)));
  await find(page);
  await page.locator('main').getByText('Equal text of new-one').waitFor();
  await answer(held, 'old').catch(() => {});  // the page has given it up
  await ended;
  await page.waitForTimeout(500);  // for what must not come
  assert.equal(await page.locator('main').getByText('Equal text of old').count(), 0);
}, {expected}));

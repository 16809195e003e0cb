import assert from 'node:assert/strict';
import {test} from 'node:test';
import {edited, insert, onPage, picture, prose, send, stage, violations} from './harness.mjs';

const text = prose(1, 300);
const longId = 'news/2026-11-01/a-long-id-without-any-place-to-break-it/0123456789abcdef';

const it = stage({}, async (server) => {
  await insert(server, [[longId, text]], {tag: 'crawl-7'});
  await insert(server, [['near', edited(text, 60)], ['equal', text]]);
  await send(server, '/v1/tags/crawl-8/begin', undefined);
});

async function ask(page) {
  await page.fill('#text', edited(text, 97));
  await page.getByRole('button', {name: 'Find near-duplicates'}).click();
  await page.locator('ins').first().waitFor();
}

const views = [
  ['start', '#/ask', (page) => page.locator('#text').waitFor()],
  ['found', '#/ask', ask],
  ['document', `#/documents/${encodeURIComponent(longId)}`, (page) => page.locator('pre.stored').waitFor()],
  ['missing', '#/documents/none', (page) => page.locator('.note').waitFor()],
  ['clusters', '#/clusters', (page) => page.locator('.clusters > li').waitFor()],
  ['tags', '#/tags', (page) => page.locator('tbody tr').nth(1).waitFor()],
  ['figures', '#/figures', async (page) => {
    await page.locator('canvas').nth(3).waitFor();
    await page.waitForTimeout(2500);
  }],
  ['help', '#/ask', (page) => page.locator('#help-button').click()],
];

for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    const size = {viewport: {width, height: width === 360 ? 740 : 900}, hasTouch: width === 360};
    // axe comes in by a way that the page's policy forbids.
    test(`every view in ${colorScheme}, ${width} px wide: fits, and axe finds nothing`, () => onPage(it, '', async (page) => {
      for (const [name, hash, show] of views) {
        await page.evaluate((there) => { location.hash = there; }, hash);
        await show(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} px wide`);
        await picture(page, `${name}-${colorScheme}-${width}`);
        assert.deepEqual(await violations(page), [], name);
      }
    }, {colorScheme, ...size, bypassCSP: true, expected: /404/}));
  }
}

test('the colours follow the system, and the switch goes before it and stays', () => onPage(it, '', async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const becomes = (colour) => page.waitForFunction((expected) => getComputedStyle(document.body).backgroundColor === expected, colour);
  const light = await ground();
  const dark = 'rgb(16, 20, 24)';
  assert.notEqual(light, dark);
  await page.emulateMedia({colorScheme: 'dark'});
  await becomes(dark);
  await page.selectOption('#theme', 'light');
  await becomes(light);
  await page.reload();
  await becomes(light);
  assert.equal(await page.inputValue('#theme'), 'light');
  await page.selectOption('#theme', '');
  await becomes(dark);
}));

test('the page is small, packed, kept by its tag, and lets nothing in', async () => {
  let weight = 0;
  for (const path of ['/', '/app.js', '/app.css', '/theme.js', '/icon.svg']) {
    const response = await fetch(it.server.url + path, {headers: {'Accept-Encoding': 'gzip'}});
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(response.headers.get('content-security-policy'), /unsafe/);
    weight += Number(response.headers.get('content-length'));
    const again = await fetch(it.server.url + path, {headers: {'Accept-Encoding': 'gzip', 'If-None-Match': response.headers.get('etag')}});
    assert.equal(again.status, 304);
    const plain = await fetch(it.server.url + path, {headers: {'Accept-Encoding': 'identity'}});
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(await plain.text(), await response.text());
  }
  assert.ok(weight > 0 && weight < 60000, `${weight} bytes`);
});

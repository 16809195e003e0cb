import assert from 'node:assert/strict';
import {test} from 'node:test';
import {edited, insert, onPage, prose, send, stage} from './harness.mjs';

const kClusters = 30;

const it = stage({}, async (server) => {
  for (let i = 0; i < kClusters; ++i) {
    const text = prose(1000 + i);
    await insert(server, [[`kept/${i}`, text], [`copy/${i}`, edited(text)]]);
  }
  await insert(server, Array.from({length: 12}, (_, i) => [`again/${i}`, prose(1000)]));
  await insert(server, [['alone', prose(2000)]], {tag: 'crawl-7'});
});

test('clusters are turned page by page', () => onPage(it, '#/clusters', async (page) => {
  await page.getByRole('heading', {name: 'Page 1: 25 clusters'}).waitFor();
  assert.ok(await page.getByRole('button', {name: 'Previous page'}).count() === 0);
  await page.getByRole('button', {name: 'Next page'}).click();
  const second = page.getByRole('heading', {name: 'Page 2: 5 clusters'});
  await second.waitFor();
  assert.ok(await second.evaluate((element) => element === document.activeElement));
  assert.ok(await page.getByRole('button', {name: 'Next page'}).count() === 0);
  await page.getByRole('button', {name: 'Previous page'}).click();
  await page.getByRole('heading', {name: 'Page 1: 25 clusters'}).waitFor();
}));

test('the duplicates of a cluster come in steps', () => onPage(it, '#/clusters', async (page) => {
  const first = page.locator('.clusters > li').first();
  assert.match(await first.locator('.size').innerText(), /14\s+documents/);
  await first.getByRole('button', {name: /^Show 5 more/}).click();
  assert.equal(await first.locator('.members > li').count(), 13);
  await first.getByRole('link', {name: 'copy/0'}).click();
  await page.getByRole('heading', {name: 'copy/0'}).waitFor();
}));

test('a document leads to what it repeats, which is shown and compared with another', () => onPage(it, '#/documents/copy%2F3', async (page) => {
  await page.getByRole('heading', {name: 'copy/3'}).waitFor();
  await page.locator('main').getByText('Its text is not kept').waitFor();
  await page.locator('main p a', {hasText: 'kept/3'}).first().click();
  await page.locator('pre.stored', {hasText: prose(1003).slice(0, 40)}).waitFor();
  await page.getByRole('heading', {name: 'What repeats it'}).waitFor();
  await page.locator('.members a', {hasText: 'copy/3'}).waitFor();
  assert.equal(await page.title(), 'kept/3 – neardup');
  await page.fill('#other-id', 'kept/4');
  await page.keyboard.press('Enter');
  await page.locator('.badge.different').waitFor();
  await page.locator('ins').first().waitFor();
}));

test('a document is looked up by its id; one that is not there is said so', () => onPage(it, '#/documents', async (page) => {
  await page.fill('#document-id', 'no such/id?');
  await page.keyboard.press('Enter');
  await page.locator('main').getByText('Not there').first().waitFor();
  await page.fill('#document-id', 'alone');
  await page.keyboard.press('Enter');
  await page.locator('main').getByText('It repeated no document').waitFor();
  await page.locator('main').getByText('No document was said to repeat it').waitFor();
}, {expected: /404/}));

test('a document is deleted, but not before it was asked', () => onPage(it, '#/documents/copy%2F29', async (page) => {
  const button = page.getByRole('button', {name: 'Delete', exact: true});
  await button.click();
  await page.getByRole('dialog').getByRole('button', {name: 'Cancel'}).click();
  assert.equal((await send(it.server, '/v1/documents/copy%2F29', undefined, 'GET')).id, 'copy/29');
  await button.click();
  await page.getByRole('dialog').getByRole('button', {name: 'Delete'}).click();
  await page.locator('main').getByText('Deleted').first().waitFor();
  assert.equal((await fetch(it.server.url + '/v1/documents/copy%2F29')).status, 404);
}));

test('tags are begun, committed, cancelled and deleted', () => onPage(it, '#/tags', async (page) => {
  const row = (tag) => page.locator('tbody tr', {hasText: tag});
  await row('crawl-7').waitFor();
  for (const tag of ['crawl-8', 'crawl/9 ä']) {
    await page.fill('#new-tag', tag);
    await page.keyboard.press('Enter');
    await row(tag).getByText('open').waitFor();
  }
  await row('crawl-8').getByRole('button', {name: 'Commit'}).click();
  await row('crawl-8').getByText('committed').or(page.locator('main').getByText('crawl-8 is committed')).first().waitFor();
  await send(it.server, '/v1/check-and-insert', {id: 'in-9', text: prose(3000), tag: 'crawl/9 ä'});
  await row('crawl/9 ä').getByRole('button', {name: 'Cancel'}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Cancel the tag'}).click();
  await page.locator('main').getByText('crawl/9 ä is cancelled').first().waitFor();
  assert.equal((await fetch(it.server.url + '/v1/documents/in-9')).status, 404);
  await row('crawl-7').getByRole('button', {name: 'Delete documents'}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Delete'}).click();
  await page.locator('main').getByText('1 document of crawl-7 erased').first().waitFor();
}));

test('many tags come in pages', () => onPage(it, '', async (page) => {
  await page.route('**/v1/tags', (route) => route.fulfill({json: {truncated: true, recipe: 'r',
    tags: Array.from({length: 120}, (_, i) => ({tag: `tag-${String(i).padStart(3, '0')}`, state: 'committed', documents: i}))}}));
  await page.getByRole('link', {name: 'Tags'}).click();
  await page.getByRole('heading', {name: '120 tags, page 1 of 3'}).waitFor();
  await page.locator('main').getByText('more tags than it lists').waitFor();
  await page.getByRole('button', {name: 'Next page'}).click();
  await page.locator('td', {hasText: 'tag-050'}).first().waitFor();
}));

test('figures are plotted and go on', () => onPage(it, '#/figures', async (page) => {
  await page.locator('canvas').nth(3).waitFor();
  assert.equal(await page.locator('canvas').count(), 4);
  const stored = (await send(it.server, '/v1/stats', undefined, 'GET')).documents;
  const tile = page.locator('.tile', {hasText: 'Documents'}).locator('dd');
  await page.waitForFunction((number) => document.querySelector('.tile dd').textContent.startsWith(String(number)), stored);
  await insert(it.server, [['while-looking', prose(4000)]]);
  await page.waitForFunction((number) => document.querySelector('.tile dd').textContent.startsWith(String(number)), stored + 1);
  const isDrawn = await page.locator('canvas').evaluateAll((all) => all.map((canvas) => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((value, i) => i % 4 === 3 && value > 0);
  }));
  assert.deepEqual(isDrawn, [true, true, true, true]);
  assert.match(await page.locator('.plot').first().getAttribute('aria-label'), /Documents, now: stored \d+/);
  let askedNow, answerIt;
  const asked = new Promise((resolve) => askedNow = resolve), may = new Promise((resolve) => answerIt = resolve);
  await page.route('**/v1/stats', async (route) => {
    askedNow();
    await may;
    await route.continue();
  });
  await asked;
  await page.getByRole('button', {name: 'Hold still'}).click();
  const still = await tile.innerText();
  await insert(it.server, [['while-still', prose(4001)]]);
  const answered = page.waitForResponse('**/v1/stats');
  answerIt();
  await answered;
  await page.waitForTimeout(1500);
  assert.equal(await tile.innerText(), still);
}));

test('an empty store has something to say on every view', async () => {
  await onPage(it, '', async (page) => {
    await page.route('**/v1/clusters*', (route) => route.fulfill({json: {clusters: [], next: null, truncated: false}}));
    await page.route('**/v1/tags', (route) => route.fulfill({json: {tags: [], truncated: false}}));
    await page.getByRole('link', {name: 'Clusters'}).click();
    await page.locator('main').getByText('No clusters yet').waitFor();
    await page.getByRole('link', {name: 'Tags'}).click();
    await page.locator('main').getByText('No tags yet').waitFor();
  });
});

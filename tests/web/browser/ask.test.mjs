import assert from 'node:assert/strict';
import {test} from 'node:test';
import {edited, insert, onPage, prose, send, stage, until} from './harness.mjs';

const it = stage();
const text = prose(1);
const find = (page) => page.getByRole('button', {name: 'Find near-duplicates'}).click();

test('a text that nothing repeats is new', () => onPage(it, '', async (page) => {
  await page.fill('#text', prose(99));
  await find(page);
  await page.locator('main').getByText('New', {exact: true}).waitFor();
  await page.locator('main').getByText('Nothing similar is stored').waitFor();
}));

test('a near-duplicate is found, with similarity, distance, marked differences and why', async () => {
  await insert(it.server, [['news/1', text]]);
  await onPage(it, '', async (page) => {
    await page.fill('#text', edited(text));
    await find(page);
    await page.locator('.verdict.near', {hasText: 'Near-duplicate of news/1'}).waitFor();
    const first = page.locator('.found > li').first();
    assert.match(await first.locator('h3').innerText(), /similarity 0\.\d\d/);
    assert.match(await first.locator('h3').innerText(), /distance \d+/);
    await first.locator('ins').first().waitFor();
    assert.equal(await first.locator('del').first().innerText(), 'changed');
    assert.equal(await first.locator('ins').count(), await first.locator('del').count());
    assert.ok(await first.locator('.why li').count() > 0);
    await page.waitForFunction(() => /Near-duplicate|Compared/.test(document.getElementById('status').textContent));
    await first.getByRole('button', {name: 'Differences'}).click();
    assert.ok(await first.locator('ins').first().isHidden());
  });
});

test('an equal text is told', () => onPage(it, '', async (page) => {
  await page.fill('#text', text);
  await find(page);
  await page.locator('.verdict.exact', {hasText: 'Equal text of news/1'}).waitFor();
}));

test('nothing to look for is said, and the focus goes where it is missing', () => onPage(it, '', async (page) => {
  await find(page);
  await page.locator('main').getByText('Paste or drop a text first.').first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
}));

test('a text is inserted once, however often the button is pressed', () => onPage(it, '', async (page) => {
  const before = (await send(it.server, '/v1/stats', undefined, 'GET')).documents;
  await page.fill('#text', prose(7));
  await page.getByRole('button', {name: 'Insert'}).click();
  const link = page.locator('.verdict.new a');
  await link.waitFor();
  const id = await link.innerText();
  await page.getByRole('button', {name: 'Insert'}).click();
  await page.locator('main').getByText('It was there before with the same text').waitFor();
  assert.equal(await link.innerText(), id);
  assert.equal((await send(it.server, '/v1/stats', undefined, 'GET')).documents, before + 1);
  await link.click();
  await page.getByRole('heading', {name: id}).waitFor();
}));

test('id, category and tag are sent', () => onPage(it, '', async (page) => {
  await page.fill('#text', text);
  await page.locator('main').getByText('Id, category, tag').click();
  await page.fill('#id', 'mine');
  await page.fill('#within', 'other');
  await page.fill('#tag', 'crawl-1');
  await page.getByRole('button', {name: 'Insert'}).click();
  await page.locator('.verdict.new').waitFor();  // news/1 is of no category
  const stored = await send(it.server, '/v1/documents/mine', undefined, 'GET');
  assert.equal(stored.within, 'other');
  assert.equal(stored.tag, 'crawl-1');
}));

test('a file is opened, and a page is read as HTML', () => onPage(it, '', async (page) => {
  const html = `<!DOCTYPE html><html><body><article><p>${text}</p></article></body></html>`;
  await page.setInputFiles('#file', {name: 'a.html', mimeType: 'text/html', buffer: Buffer.from(html)});
  await page.waitForFunction(() => document.getElementById('kind').value === 'html');
  const [request] = await Promise.all([page.waitForRequest('**/v1/check'), find(page)]);
  assert.equal(request.postDataJSON().html, html);
  await page.locator('.verdict').waitFor();
  assert.ok(await page.locator('.verdict.exact, .verdict.near').count() === 1);
}));

test('a file is dropped', () => onPage(it, '', async (page) => {
  const carried = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'note.txt', {type: 'text/plain'}));
    return data;
  }, text);
  await page.dispatchEvent('#text', 'dragenter', {dataTransfer: carried});
  await page.locator('.drop.over').waitFor();
  await page.dispatchEvent('#text', 'drop', {dataTransfer: carried});
  await page.waitForFunction((expected) => document.getElementById('text').value === expected, text);
  assert.equal(await page.locator('.drop.over').count(), 0);
  assert.equal(await page.inputValue('#kind'), 'text');
}));

test('what a document says never becomes markup', async () => {
  const evil = `<img src=x onerror="window.caught=1"><script>window.caught=1</script>"'><b>bold</b> ${prose(5)}`;
  const id = '<img src=x onerror="window.caught=1">';
  await insert(it.server, [[id, evil]]);
  await onPage(it, '', async (page) => {
    await page.fill('#text', evil.replace('bold', 'fat'));
    await page.selectOption('#kind', 'text');
    await find(page);
    await page.locator('.hunk').first().waitFor();
    await page.locator('.found a').first().click();
    await page.getByRole('heading', {name: id}).waitFor();
    await page.locator('pre.stored', {hasText: '<script>'}).waitFor();
    assert.equal(await page.evaluate(() => window.caught), undefined);
    assert.equal(await page.locator('main img, main script').count(), 0);
  });
});

test('what was typed stays while other views are looked at', () => onPage(it, '', async (page) => {
  await page.fill('#text', 'kept');
  await page.getByRole('link', {name: 'Tags'}).click();
  await page.getByRole('heading', {name: 'Tags', level: 1}).waitFor();
  await page.goBack();
  await page.locator('#text').waitFor();
  assert.equal(await page.inputValue('#text'), 'kept');
}));

test('a long list comes in steps, and more can be asked for', async () => {
  const body = {id: null, found: Array.from({length: 60}, (_, i) => ({id: `d${i}`, similarity: 0.9 - i / 1000, distance: i, exact: false})),
    truncated: true, recipe: 'r'};
  await onPage(it, '', async (page) => {
    const limits = [];
    await page.route('**/v1/query*', (route) => {
      limits.push(new URL(route.request().url()).searchParams.get('limit'));
      return route.fulfill({json: body});
    });
    await page.route('**/v1/explain', (route) => route.fulfill({json: {verdict: 'near', similarity: 1, distance: 0, a: {id: 'd0'}, b: {id: null},
      why: [], pieces: [{kind: 'equal', a: 'x', b: 'x'}], truncated: false}}));
    await page.fill('#text', text);
    await find(page);
    await page.locator('.found > li').nth(24).waitFor();
    assert.equal(await page.locator('.found > li').count(), 25);
    await page.getByRole('button', {name: 'Show 25 more of 60'}).click();
    assert.equal(await page.locator('.found > li').count(), 50);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'd25');
    await page.getByRole('button', {name: 'Show 10 more of 60'}).click();
    await page.getByRole('button', {name: 'Look for more'}).click();
    await until(() => limits.length > 1, 'more is asked for');
    await page.locator('.found > li').nth(24).waitFor();
    assert.deepEqual(limits, ['10', '50']);
  });
});

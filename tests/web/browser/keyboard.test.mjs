import assert from 'node:assert/strict';
import {test} from 'node:test';
import {edited, insert, onPage, prose, send, stage, until} from './harness.mjs';

const it = stage();
const focused = (page) => page.evaluate(() => {
  const {activeElement: element} = document;
  return element.id || element.className || element.textContent.trim();
});

test('everything is reached by Tab, in order, and seen to be', () => onPage(it, '', async (page) => {
  const seen = [];
  for (let i = 0; i < 18; ++i) {
    await page.keyboard.press('Tab');
    const {name, outline} = await page.evaluate(() => {
      const {activeElement: element} = document;
      const style = getComputedStyle(element);
      return {name: element.textContent.trim().split('\n')[0].slice(0, 40) || element.id, outline: `${style.outlineStyle} ${style.outlineWidth}`};
    });
    if (name.startsWith('Skip') && seen.length > 0) break;
    seen.push(name);
    assert.match(outline, /^(solid|auto) [1-9]/, `the focus on "${name}" is seen`);
  }
  const order = ['Skip to the content', 'Ask', 'Document', 'Clusters', 'Tags', 'Figures', 'Key', 'System', 'Help', 'text', 'Find near-duplicates', 'Insert', 'Open a file', 'Text', 'Id, category, tag', 'openapi.json'];
  order.forEach((name, i) => assert.ok(seen[i].startsWith(name), `${i}: "${seen[i]}" is "${name}"`));
}));

test('the skip link leads to the content', () => onPage(it, '#/tags', async (page) => {
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'main');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'new-tag');
}));

test('a text is found, inserted and deleted without a mouse', async () => {
  await insert(it.server, [['first', prose(1)]]);
  await onPage(it, '', async (page) => {
    await page.keyboard.press('/');
    assert.equal(await focused(page), 'text');
    await page.keyboard.insertText(edited(prose(1)));
    await page.keyboard.press('Control+Enter');
    await page.locator('.verdict.near').waitFor();
    await page.locator('ins').first().waitFor();
    await page.keyboard.press('Control+Shift+Enter');
    const link = page.locator('.verdict.near a').nth(1);
    await link.waitFor();
    const id = await link.innerText();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: id}).waitFor();
    assert.equal(await focused(page), 'Document');
    await page.getByRole('button', {name: 'Delete', exact: true}).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    assert.equal(await focused(page), 'Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main').getByText('Deleted').first().waitFor();
    assert.equal((await send(it.server, '/v1/stats', undefined, 'GET')).documents, 1);
  });
});

test('digits lead to the views, ? to the help, Escape back', () => onPage(it, '', async (page) => {
  for (const [key, title] of [['2', 'Document'], ['3', 'Clusters'], ['4', 'Tags'], ['5', 'Figures'], ['1', 'Have I seen this?']]) {
    await page.keyboard.press(key);
    await page.getByRole('heading', {name: title, level: 1}).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
  }
  await page.locator('#help-button').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', {name: 'Keyboard'}).waitFor();
  await page.keyboard.press('3');
  assert.equal(await page.getByRole('dialog').count(), 1);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'hidden'});
  await until(async () => await focused(page) === 'help-button', 'the focus is where it was');
}));

test('keys without Ctrl can be switched off, and do nothing where one types', () => onPage(it, '', async (page) => {
  await page.locator('#text').focus();
  await page.keyboard.type('2?/');
  assert.equal(await page.inputValue('#text'), '2?/');
  await page.locator('#help-button').click();
  await page.locator('#single-keys').uncheck();
  await page.keyboard.press('Escape');
  await page.locator('#help-button').focus();
  await page.keyboard.press('3');
  await page.waitForTimeout(100);
  assert.equal(await page.getByRole('heading', {level: 1}).innerText(), 'Have I seen this?');
}));

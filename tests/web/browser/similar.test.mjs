// The page of `neardup similar --html` in Chromium: pages of real runs of the program, opened as files.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {launch, onAddress, pageClock, picture, prose, timesOfMoves, until, violations} from './harness.mjs';

const it = {};

/** Runs `neardup similar tree --html page.html` over `files`, {name: content}. Returns {page, lines}: the page's path, the pairs of the lines. */
function similar(files, ...flags) {
  const folder = mkdtempSync(join(it.folder, 'run_'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), content);
  }
  const lines = execFileSync(process.env.NEARDUP_PROGRAM, ['similar', 'tree', '--html', 'page.html', '--progress', 'off', ...flags], {cwd: folder, maxBuffer: 1 << 28});
  return {page: join(folder, 'page.html'), lines: String(lines).trimEnd().split('\n').map((line) => line.split('\t'))};
}

/** Text in lines, such as a source file has. */
const source = (seed, lines) => Array.from({length: lines}, (_, i) => `${'  '.repeat(i % 4)}${prose(seed * 100000 + i, 6)}\n`).join('');

/** Files with parts of each other: `families` of `size`, each with a core of its own, the later ones with more around it. */
function tree(families, size) {
  const files = {};
  for (let family = 0; family < families; ++family) {
    const core = source(family + 1, 30);
    for (let i = 0; i < size; ++i) {
      const [begin, end] = [source(100 + family * 50 + i, 3 * i), source(500 + family * 50 + i, 2 * i)];
      files[`tree/family${family}/part_${i}.c`] = begin + core + end;
    }
  }
  return files;
}

function open({page}, work, options = {}) {
  const address = pathToFileURL(page).href;
  return onAddress(it.browser, address, (url) => url.startsWith(address), work, options);
}

const figure = (page, n) => page.locator('.x-tiles .tile').nth(n).locator('dd').evaluate((node) => Number(node.firstChild.textContent.replaceAll(',', '')));
const move = (page, hundredth) => page.locator('#x-threshold').evaluate(async (slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}, hundredth);
const rows = (page) => page.locator('.x-table tbody tr');
const countOf = (text) => Number(/[0-9,]+/.exec(text)[0].replaceAll(',', ''));

before(async () => {
  it.folder = mkdtempSync(join(tmpdir(), 'neardup_similar_'));
  it.browser = await launch();
  const files = tree(5, 6);
  files['tree/family0/copy.c'] = files['tree/family0/part_0.c'];
  const half = (n) => source(n + 1, 30).split('\n').slice(0, 15).join('\n') + '\n';
  files['tree/family1/both.c'] = half(0) + source(777, 20) + half(1);
  it.result = similar(files);
});

after(async () => {
  await it.browser?.close();
  rmSync(it.folder, {recursive: true, force: true});
});

test('the slider changes counts, groups and the table as the lines say', () => open(it.result, async (page) => {
  const shares = it.result.lines.map(([a, b, basis]) => ({similarity: Math.max(Number(a), Number(b)), basis}));
  assert.ok(shares.length > 60);
  const groups = await figure(page, 2);
  for (const hundredth of [25, 50, 75, 90, 100]) {
    await move(page, hundredth);
    const [least, most] = [-0.051, 0.051].map((by) => shares.filter(({similarity, basis}) => basis !== 'equal' && similarity >= hundredth + by).length);
    const similarPairs = await figure(page, 0);
    assert.ok(similarPairs <= least && similarPairs >= most, `${similarPairs} at ${hundredth}: the lines have ${most} to ${least}`);
    assert.equal(await figure(page, 1), 1, 'equal files stay');
    assert.equal(countOf(await page.locator('.x-shown').textContent()), similarPairs);
  }
  await move(page, 60);
  assert.equal(await figure(page, 2), groups + 1, 'the file that joins two families falls out of them');
  await page.getByRole('button', {name: 'As in the run'}).click();
  await until(async () => await figure(page, 2) === groups, 'the groups are those of the run');
  assert.ok(await page.getByRole('button', {name: 'As in the run'}).isDisabled());
}));

test('a pair opens side by side, its passages marked and tied', () => open(it.result, async (page) => {
  await page.getByLabel('Filter pairs by name').fill('both.c');
  await page.waitForFunction(() => /of/.test(document.querySelector('.x-shown').textContent));
  await rows(page).filter({hasText: 'family0'}).first().locator('button').click();
  const dialog = page.locator('dialog[open]');
  const panes = dialog.locator('.s-pane');
  assert.equal(await panes.count(), 2);
  const marked = (n) => panes.nth(n).locator('mark').evaluateAll((marks) => marks.map((mark) => [...mark.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('')).join('\n'));
  const [left, right] = [await marked(0), await marked(1)];
  assert.ok(left.length > 300);
  const folded = (text) => text.replaceAll(/\s+/g, ' ').trim();  // white space in a row counts as one blank
  assert.equal(folded(left), folded(right), 'passages are the same on both sides');
  assert.match(await dialog.locator('.s-passages output').textContent(), /passage|^Passage/);
  await dialog.getByRole('button', {name: 'Next passage (n)'}).click();
  assert.match(await dialog.locator('.s-passages output').textContent(), /^Passage 1 of \d+: lines \d+.\d+ and \d+.\d+, /);
  assert.ok(await dialog.locator('mark.here').count() > 1);
  const tops = () => Promise.all([0, 1].map((n) => panes.nth(n).locator('.s-label').first().evaluate((label) => Math.round(label.getBoundingClientRect().top))));
  const [a, b] = await tops();
  assert.ok(Math.abs(a - b) <= 25, `level: ${a} and ${b}`);
  await panes.nth(1).locator('.s-text').evaluate((text) => { text.scrollTop = 1e6; });
  await panes.nth(0).locator('mark').first().click();
  const [left2, right2] = await tops();
  assert.ok(Math.abs(left2 - right2) <= 25, `a click on a passage scrolls the other side: ${left2} and ${right2}`);
  const name = await dialog.locator('.ids').textContent();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await dialog.locator('.ids').textContent(), name);
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
}));

test('where passages overlap the one that is looked at has one colour on both sides', () => {
  const [a, b, c] = [source(1, 12), source(2, 12), source(3, 12)];
  return open(similar({'tree/one': a + b, 'tree/two': a + c + a}), async (page) => {
    await rows(page).first().locator('button').click();
    for (let i = 1; i <= 2; ++i) {
      await page.keyboard.press('n');
      assert.match(await page.locator('.s-passages output').textContent(), new RegExp(`^Passage ${i} of 2`));
      const colours = await page.locator('mark.here').evaluateAll((marks) => [...new Set(marks.map((mark) => getComputedStyle(mark).backgroundColor))]);
      assert.equal(colours.length, 1, colours.join());
    }
    assert.equal(await page.locator('.s-text').nth(0).locator('mark.here').count(), 12);
  });
});

test('equal files show their one text', () => open(it.result, async (page) => {
  await page.getByLabel('Kind of pair').selectOption('equal');
  await page.waitForFunction(() => document.querySelectorAll('.x-table tbody tr').length === 1);
  await rows(page).first().locator('button').click();
  await page.getByText('the same bytes', {exact: true}).waitFor();
  assert.equal(await page.locator('dialog[open] .s-pane mark').first().locator('..').count(), 1);
}));

test('a click in the matrix and a line of the graph open a pair; hovering tells it', () => open(it.result, async (page) => {
  const canvas = page.locator('.s-matrix canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  let opened = 0;
  for (let i = 1; i < 12 && opened === 0; ++i) {
    await page.mouse.move(box.x + box.width - 5 * i, box.y + box.height - 8 * i);
    if (await page.locator('.s-tip:not([hidden])').count() === 0) continue;
    assert.match(await page.locator('.s-tip').textContent(), /%.* of .* in /);
    await page.mouse.down();
    await page.mouse.up();
    opened = await page.locator('dialog[open]').count();
  }
  assert.equal(opened, 1);
  await page.keyboard.press('Escape');
  const graph = page.locator('.x-canvas canvas');
  await graph.scrollIntoViewIfNeeded();
  const place = await graph.boundingBox();
  const seen = new Set();
  for (let i = 1; i < 10; ++i) {
    await page.mouse.click(place.x + place.width * i / 10, place.y + place.height / 2);
    if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
    seen.add(await page.locator('.x-chooser .x-where').textContent());
  }
  assert.ok(seen.size > 1, [...seen].join());
  await page.locator('.x-members button').first().click();
  await page.locator('dialog[open] .s-pane mark').first().waitFor();
}));

test('the matrix and the table of the chosen group', () => open(it.result, async (page) => {
  await page.getByLabel('chosen group only').check();
  const all = countOf(await page.locator('.x-shown').textContent());
  await page.getByRole('button', {name: 'Next group'}).click();
  const chosen = countOf(await page.locator('.x-shown').textContent());
  assert.ok(all < it.result.lines.length && chosen < it.result.lines.length);
  await page.getByLabel('Which files').selectOption('group');
  assert.match(await page.locator('.s-matrix .s-words').textContent(), /^[2-9] files/);
}));

test('by keyboard alone', () => open(it.result, async (page) => {
  await page.locator('#x-threshold').focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#x-threshold').inputValue(), '30');
  await page.locator('#x-threshold[aria-valuetext^="0.30:"]').waitFor();  // a new matrix has no cell chosen
  const canvas = page.locator('.s-matrix canvas');
  await canvas.focus();
  let isPair = false;
  for (let i = 0; i < 8 && !isPair; ++i) {
    await page.keyboard.press('ArrowRight');
    isPair = /%/.test(await page.locator('.s-matrix .s-words').textContent());
  }
  assert.ok(isPair);
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('n');
  assert.match(await page.locator('.s-passages output').textContent(), /^Passage 1 of/);
  await page.locator('dialog[open] .s-label').first().focus();
  await page.keyboard.press('Enter');
  assert.ok(await page.locator('mark.here').count() > 1);
}));

test('against references', () => {
  const files = tree(3, 4);
  const moved = Object.fromEntries(Object.entries(files).map(([name, content]) => [name.includes('part_3') ? name.replace('tree', 'other') : name, content]));
  return open(similar(moved, '--reference', 'other'), async (page) => {
    assert.match(await page.locator('.s-matrix .s-words').textContent(), /files and \d+ references/);
    assert.ok(await rows(page).locator('small', {hasText: 'reference'}).count() > 0);
    await picture(page, 'similar-references');
  });
});

test('names and contents are text, whatever they are', () => {
  const hostile = '</script><script>document.title = "broken"</script><img src=x onerror="document.title=\'broken\'"><!--\n';
  const shared = hostile + source(9, 20) + 'a\u202Eb\u2066c\u200B \x1b[2J\n' + hostile;
  const files = {};
  ['<script>alert(1)<', '<img src=x onerror=alert(1)>', 'a\u202Eb\u2066c', '"\'&`', '-rf', 'a b'].forEach((name, i) => {
    files[`tree/${name}`] = Buffer.concat([Buffer.from(shared), Buffer.from([0xff, 0xfe, 10]), Buffer.from(source(50 + i, 4))]);
  });
  return open(similar(files), async (page) => {
    assert.notEqual(await page.title(), 'broken');
    assert.equal(await page.locator('img').count(), 0);
    await page.getByLabel('Filter pairs by name').fill('[U+202E]');
    await page.waitForFunction(() => document.querySelectorAll('.x-table tbody tr').length === 5);
    await rows(page).first().locator('button').click();
    const text = page.locator('dialog[open] .s-text').first();
    assert.ok((await text.textContent()).includes('<img src=x onerror='));
    assert.ok((await text.textContent()).includes('a[U+202E]b[U+2066]c'));
    assert.ok((await text.textContent()).includes('\uFFFD'));
    assert.notEqual(await page.title(), 'broken');
    await picture(page, 'similar-hostile');
  });
});

test('of large files the parts around the passages', () => {
  const shared = source(3, 40);
  const files = {'tree/large.txt': source(1, 4000) + shared + source(2, 4000), 'tree/small.txt': source(5, 10) + shared};
  return open(similar(files), async (page) => {
    await rows(page).first().locator('button').click();
    const large = page.locator('dialog[open] .s-pane').first();
    assert.match(await large.locator('.fold').first().textContent(), /^lines 1 to 3,99\d are not shown$/);
    assert.match(await large.locator('.s-number').first().textContent(), /^39\d\d$/);
    assert.ok(await large.locator('mark').count() >= 40);
  });
});

test('one pair, copies alone, and nothing', async () => {
  const text = source(1, 30);
  await open(similar({'tree/a': text, 'tree/b': text + source(2, 5)}), async (page) => {
    assert.equal(await figure(page, 0), 1);
    await page.getByText('The one group at the lowest threshold.').waitFor();
    await picture(page, 'similar-one');
  });
  await open(similar({'tree/a': text, 'tree/b': text, 'tree/c': text}), async (page) => {
    assert.equal(await figure(page, 1), 2);
    await page.getByText('No files but copies of each other are left here').waitFor();
    await move(page, 100);
    assert.equal(await figure(page, 1), 2);
  });
  await open(similar({'tree/a': text}), async (page) => {
    await page.getByText('No pair was found, so there is nothing to show.').waitFor();
  });
});

test('without scripts a table', () => open(it.result, async (page) => {
  assert.equal(await page.locator('.plain-pairs tbody tr').count(), Math.min(100, it.result.lines.length));
  await page.getByText('need scripts, which are switched off here').waitFor();
  await picture(page, 'similar-without-scripts');
}, {javaScriptEnabled: false}));

for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    const size = {viewport: {width, height: width === 360 ? 740 : 900}, hasTouch: width === 360};
    test(`the page in ${colorScheme}, ${width} px wide: fits, and axe finds nothing`, () => open(it.result, async (page) => {
      await move(page, 40);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
      await picture(page, `similar-${colorScheme}-${width}`);
      assert.deepEqual(await violations(page), []);
      await page.getByLabel('Filter pairs by name').fill('both.c');
          await page.waitForFunction(() => document.querySelectorAll('.x-table tbody tr').length < 20);
      await rows(page).first().locator('button').click();
      await page.locator('dialog[open] mark').first().waitFor();
      await page.keyboard.press('n');
      assert.deepEqual(await violations(page), [], 'the dialog');
      if (process.env.NEARDUP_SHOTS) await page.screenshot({path: join(process.env.NEARDUP_SHOTS, `similar-pair-${colorScheme}-${width}.png`)});
    }, {colorScheme, ...size, bypassCSP: true}));
  }
}

test('ten thousand pairs: the page opens, and the slider moves', () => {
  const result = similar(tree(90, 16));
  assert.ok(result.lines.length > 10000, `${result.lines.length} pairs`);
  const size = readFileSync(result.page).length;
  assert.ok(size < 16e6, `${size} bytes`);
  return open(result, async (page) => {
    const opened = await (await pageClock(page))();
    const times = await timesOfMoves(page);
    if (process.env.NEARDUP_SHOTS) console.log(`${result.lines.length} pairs, ${size} bytes, open in ${Math.round(opened)} ms, moves ${times.map(Math.round)} ms`);
    await picture(page, 'similar-many');
    assert.ok(opened < 5000 && times[times.length >> 1] < 500, `${opened}; ${times} ms`);  // docs/similar.md has those of an idle machine
  });
});

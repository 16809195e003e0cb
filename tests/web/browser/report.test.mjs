// report.html in Chromium: pages of real runs of the program, opened as files.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {figuresOf, keptAt} from '../../../web/report/clusters.js';
import {unpack} from '../../../web/report/data.js';
import {edited, launch, onAddress, picture, prose, timesOfMoves, violations} from './harness.mjs';

const hostile = '</script><img src=x onerror="document.title=\'broken\'"><!--';
const bidi = 'a\u202Eb\u2066c\u200B';
const it = {};

/** Runs `neardup dedup` over files of documents, {name: [[id, text], ...]}. Returns the folder of the results. */
function dedup(files, ...flags) {
  const folder = mkdtempSync(join(it.folder, 'run_'));
  for (const [name, documents] of Object.entries(files)) {
    writeFileSync(join(folder, name), documents.map(([id, text]) => JSON.stringify({id, text}) + '\n').join(''));
  }
  execFileSync(process.env.NEARDUP_PROGRAM, ['dedup', ...Object.keys(files), '-o', 'out', '--progress', 'off', ...flags], {cwd: folder, stdio: 'ignore'});
  return join(folder, 'out');
}

const json = (out) => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
const dataOf = (out) => {
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  return unpack(JSON.parse(/<script type="application\/json" id="explore-data">(.*?)<\/script>/s.exec(page)[1]));
};

/** Texts and copies of them, more and more edited. */
function corpus(count, copies) {
  const files = {'news.jsonl': [], 'mirror.jsonl': []};
  for (let i = 0; i < count; ++i) {
    const text = prose(i + 1, 200);
    files['news.jsonl'].push([`news/${i}`, text]);
    for (let copy = 0; copy < copies(i); ++copy) {
      const changed = copy === 0 ? text : edited(edited(text, 150 - 32 * copy), 97 + i);
      files['mirror.jsonl'].push([`mirror/${i}-${copy}`, changed]);
    }
  }
  return files;
}

function open(out, work, options = {}) {
  const address = pathToFileURL(join(out, 'report.html')).href;
  return onAddress(it.browser, address, (url) => url.startsWith(address), work, options);
}

const removed = (page) => page.locator('.x-tiles .tile').first().locator('dd').evaluate((node) => node.firstChild.textContent);
const move = (page, hundredth) => page.locator('#x-threshold').evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
}, hundredth);
const rows = (page) => page.locator('.x-table tbody tr');

before(async () => {
  it.folder = mkdtempSync(join(tmpdir(), 'neardup_report_'));
  it.browser = await launch();
  const files = corpus(30, (i) => i % 5);
  files['mirror.jsonl'].push([hostile, edited(prose(3, 200), 90)], [bidi, edited(prose(4, 200), 80)], ['\ud800', edited(prose(5, 200), 85)]);
  it.files = files;
  it.out = dedup(files, '--verify', 'jaccard:0.3', '--pairs');
});

after(async () => {
  await it.browser?.close();
  rmSync(it.folder, {recursive: true, force: true});
});

test('every threshold tells what a run with it does', () => {
  for (const flags of [[], ['--cluster', 'components'], ['--keep', 'longest']]) {
    const data = dataOf(dedup(it.files, '--verify', 'jaccard:0.3', '--pairs', ...flags));
    assert.equal(data.hasAllPairs, true);
    for (const hundredth of [30, 45, 60, 75, 88, 95, 100]) {
      const found = json(dedup(it.files, '--verify', `jaccard:${hundredth / 100}`, ...flags));
      const figures = figuresOf(data, keptAt(data, hundredth * 100), hundredth * 100);
      const sizes = found.cluster_sizes.map(({size}) => size);
      assert.deepEqual(
          {exact: figures.exact, near: figures.near, bytes: figures.bytes, clusters: figures.clusters, largest: figures.largest},
          {exact: found.total.removed_exact, near: found.total.removed_near, bytes: found.total.bytes_removed, clusters: found.clusters,
            largest: Math.max(0, ...sizes)}, `${flags} at ${hundredth}`);
      found.by_input.forEach((source) => {
        const i = data.sources.findIndex(({name}) => name === source.name);
        assert.equal(figures.bySource[i], source.removed_exact + source.removed_near, `${source.name} at ${hundredth}`);
      });
    }
  }
});

test('against references the same', () => {
  const against = ['--reference', 'news.jsonl'];
  const run = (threshold, ...flags) => {
    const folder = mkdtempSync(join(it.folder, 'run_'));
    for (const [name, documents] of Object.entries(it.files)) {
      writeFileSync(join(folder, name), documents.map(([id, text]) => JSON.stringify({id, text}) + '\n').join(''));
    }
    execFileSync(process.env.NEARDUP_PROGRAM, ['dedup', 'mirror.jsonl', '-o', 'out', '--progress', 'off', '--verify', `jaccard:${threshold}`,
      ...against, ...flags], {cwd: folder, stdio: 'ignore'});
    return join(folder, 'out');
  };
  const data = dataOf(run(0.3, '--pairs'));
  for (const hundredth of [30, 60, 90]) {
    const {total} = json(run(hundredth / 100));
    const figures = figuresOf(data, keptAt(data, hundredth * 100), hundredth * 100);
    assert.deepEqual([figures.exact, figures.near], [total.removed_exact, total.removed_near], `${hundredth}`);
  }
});

test('without --pairs the run itself is exact, and the page says that the rest is an estimate', async () => {
  const out = dedup(it.files, '--verify', 'jaccard:0.3');
  const data = dataOf(out);
  assert.equal(data.hasAllPairs, false);
  const {total} = json(out);
  const figures = figuresOf(data, keptAt(data, 0), 0);
  assert.deepEqual([figures.exact, figures.near], [total.removed_exact, total.removed_near]);
  await open(out, async (page) => assert.match(await page.locator('#explore .x-note').first().textContent(), /^An estimate: .* With --pairs/));
});

test('the slider redraws figures, sources, graph and table', () => open(it.out, async (page) => {
  const {total} = json(it.out);
  assert.equal(await removed(page), String(total.removed_exact + total.removed_near));
  const drawn = () => page.locator('.x-canvas canvas').evaluate((canvas) => canvas.toDataURL());
  const [before, source] = [await drawn(), await page.locator('.x-sources').textContent()];
  await move(page, 90);
  await page.waitForFunction((old) => document.querySelector('.x-tiles dd').firstChild.textContent !== old, String(total.removed_exact + total.removed_near));
  const at90 = json(dedup(it.files, '--verify', 'jaccard:0.9')).total;
  assert.equal(await removed(page), String(at90.removed_exact + at90.removed_near));
  assert.notEqual(await drawn(), before);
  assert.notEqual(await page.locator('.x-sources').textContent(), source);
  assert.ok(await page.locator('.x-state.back').count() > 0);
  assert.match(await page.locator('#x-threshold').getAttribute('aria-valuetext'), /^0\.90: \d+ documents removed/);
  await page.locator('.x-number').fill('0.3');
  await page.locator('.x-number').press('Enter');
  await page.waitForFunction((old) => document.querySelector('.x-tiles dd').firstChild.textContent === old, String(total.removed_exact + total.removed_near));
}));

test('the line in the plot can be drawn', () => open(it.out, async (page) => {
  await page.locator('.x-plot').scrollIntoViewIfNeeded();
  const box = await page.locator('.x-plot .u-over').boundingBox();
  await page.mouse.move(box.x + 5, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 50, {steps: 4});
  await page.mouse.up();
  const value = Number(await page.locator('#x-threshold').inputValue());
  assert.ok(value > 60 && value < 70, `${value}`);
}));

test('the table sorts, filters and turns its pages; a pair opens side by side', () => open(it.out, async (page) => {
  assert.equal(await page.locator('.x-table th[aria-sort]').textContent(), 'Similarity');
  const first = await rows(page).first().textContent();
  await page.getByRole('button', {name: 'Similarity'}).click();
  assert.equal(await page.locator('.x-table th[aria-sort=descending]').count(), 1);
  assert.notEqual(await rows(page).first().textContent(), first);
  await page.getByRole('button', {name: 'Next page'}).click();
  assert.match(await page.locator('.x-pager .x-where').textContent(), /^21 to \d+ of \d+$/);
  await page.getByLabel('Filter pairs by id').fill('mirror/4-');
  await page.waitForFunction(() => document.querySelectorAll('.x-table tbody tr').length === 4);
  await page.getByLabel('Kind of pair').selectOption('exact');
  await page.waitForFunction(() => document.querySelectorAll('.x-table tbody tr').length === 1);
  await page.getByLabel('Filter pairs by id').fill('no such id');
  await page.getByText('No pair is like that.').waitFor();
  await page.getByLabel('Filter pairs by id').fill('');
  await page.getByLabel('Kind of pair').selectOption('texts');
  await page.locator('.x-table tbody button').first().click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('ins, .same').first().waitFor();
  const title = await dialog.locator('h2').textContent();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await dialog.locator('h2').textContent(), title);
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
}));

test('by keyboard alone', () => open(it.out, async (page) => {
  await page.locator('#x-threshold').focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#x-threshold').inputValue(), '35');
  await page.keyboard.press('End');
  assert.equal(await page.locator('#x-threshold').inputValue(), '100');
  await page.locator('#x-threshold[aria-valuetext^="1.00:"]').waitFor();  // what is drawn then has other buttons
  await page.getByRole('button', {name: 'Next cluster'}).focus();
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.x-chooser .x-where').textContent(), /^Cluster 2 of/);
  await page.locator('.x-members button').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor();
}));

test('a click in the graph chooses a cluster', () => open(it.out, async (page) => {
  await page.locator('.x-canvas canvas').scrollIntoViewIfNeeded();
  const box = await page.locator('.x-canvas canvas').boundingBox();
  const seen = new Set();
  for (let i = 1; i < 10; ++i) {
    await page.mouse.click(box.x + box.width * i / 10, box.y + box.height / 2);
    if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
    seen.add(await page.locator('.x-chooser .x-where').textContent());
  }
  assert.ok(seen.size > 2, [...seen].join());
}));

test('what documents say is text, and hidden signs are named', () => open(it.out, async (page) => {
  assert.notEqual(await page.title(), 'broken');
  assert.equal(await page.locator('img').count(), 0);
  const filter = page.getByLabel('Filter pairs by id');
  await filter.fill('onerror');
  await page.waitForFunction(() => document.querySelectorAll('.x-table tbody tr').length === 1);
  assert.ok((await rows(page).first().textContent()).includes('</script><img src=x onerror='));
  await filter.fill('U+202E');
  await page.waitForFunction(() => document.querySelector('.x-table tbody').textContent.includes('a[U+202E]b[U+2066]c[U+200B]'));
  await page.locator('.x-table tbody button').first().click();
  await page.locator('dialog[open]').waitFor();
}));

test('one pair, one text many times, and nothing', async () => {
  const text = prose(1, 200);
  const one = dedup({'a.jsonl': [['a', text], ['b', edited(text, 60)]]});
  await open(one, async (page) => {
    assert.equal(await removed(page), '1');
    await page.getByText('The one cluster of the run.').waitFor();
    await picture(page, 'report-one');
  });
  const equal = dedup({'a.jsonl': Array.from({length: 60}, (_, i) => [`a${i}`, text])});
  await open(equal, async (page) => {
    assert.equal(await removed(page), '59');
    await move(page, 100);
    await page.locator('.x-advice', {hasText: 'no threshold to set'}).waitFor();
    assert.equal(await removed(page), '59', 'equal texts stay removed');
  });
  const nothing = dedup({'a.jsonl': [['a', prose(1)], ['b', prose(2)]]});
  await open(nothing, async (page) => {
    await page.getByText('No document was removed, so there is no threshold to move.').waitFor();
    await picture(page, 'report-nothing');
  });
});

test('in the frame of a notebook', async () => {
  const page = readFileSync(join(it.out, 'report.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const notebook = join(it.folder, 'notebook.html');
  writeFileSync(notebook, `<!DOCTYPE html><title>Notebook</title><iframe sandbox="allow-scripts" srcdoc="${page}" style="width: 900px; height: 700px"></iframe>`);
  const address = pathToFileURL(notebook).href;
  await onAddress(it.browser, address, (url) => url === address || url === 'about:srcdoc', async (outer) => {
    const frame = outer.frameLocator('iframe');
    await frame.locator('.x-table tbody tr').nth(5).waitFor();
    await frame.getByRole('link', {name: 'Threshold'}).click();
    await frame.locator('#x-threshold').fill('95');
    await frame.locator('.x-state.back').first().waitFor();
    await frame.locator('.x-table tbody button').first().click();
    await frame.locator('dialog[open]').waitFor();
  });
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    const size = {viewport: {width, height: width === 360 ? 740 : 900}, hasTouch: width === 360};
    test(`the report in ${colorScheme}, ${width} px wide: fits, and axe finds nothing`, () => open(it.out, async (page) => {
      await move(page, 95);
      await rows(page).first().waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
      await picture(page, `report-${colorScheme}-${width}`);
      assert.deepEqual(await violations(page), []);
      await page.locator('.x-table tbody button').first().click();
      await page.locator('dialog[open] article').waitFor();
      assert.deepEqual(await violations(page), [], 'the dialog');
      await picture(page, `report-pair-${colorScheme}-${width}`);
    }, {colorScheme, ...size, bypassCSP: true}));
  }
}

test('what has no room is counted, and said to be left out', async () => {
  const documents = [];
  for (let i = 0; i < 9000; ++i) {
    const text = prose(i + 1, 24);
    documents.push([`a/${i}`, text], [`b/${i}`, text], [`c/${i}`, `${text} ${prose(i, 1)}`]);
  }
  const out = dedup({'many.jsonl': documents}, '--verify', 'jaccard:0.3', '--memory', '64M');
  const [data, {total}] = [dataOf(out), json(out)];
  assert.ok(data.leftOut.clusters > 1000 && data.ids.length <= 16384, `${data.leftOut.clusters} clusters, ${data.ids.length} documents`);
  const figures = figuresOf(data, keptAt(data, 0), 0);
  assert.deepEqual([figures.exact, figures.near], [total.removed_exact, total.removed_near]);
  const strict = json(dedup({'many.jsonl': documents}, '--verify', 'jaccard:0.9')).total;
  const off = strict.removed_exact + strict.removed_near - figuresOf(data, keptAt(data, 9000), 9000).removed;
  assert.ok(off >= 0 && off < 10, `${off}: few of these texts resemble one of another cluster`);
  await open(out, async (page) => {
    assert.equal((await removed(page)).replaceAll(',', ''), String(figures.removed));
    assert.match(await page.locator('.x-note').nth(1).textContent(), /^Left out of the page for their number: [0-9,]+ clusters of [0-9,]+ documents/);
  });
});

test('a hundred thousand documents: bounded, and the slider moves', async () => {
  const files = {'many.jsonl': []};
  for (let i = 0; files['many.jsonl'].length < 100000; ++i) {
    const text = prose(i + 1, 24);
    for (let copy = 0; copy < 5; ++copy) files['many.jsonl'].push([`document/${i}/${copy}`, copy === 0 ? text : text + ` ${prose(i * 7 + copy, 2)}`]);
  }
  const out = dedup(files, '--verify', 'jaccard:0.3');
  const size = readFileSync(join(out, 'report.html')).length;
  assert.ok(size < 12e6, `${size} bytes`);
  await open(out, async (page) => {
    const {total} = json(out);
    assert.ok(total.removed_near + total.removed_exact > 50000);
    assert.equal((await removed(page)).replaceAll(',', ''), String(total.removed_near + total.removed_exact));
    const times = await timesOfMoves(page);
    assert.ok(times[times.length >> 1] < 500, `${times} ms`);  // 40 ms on an idle machine
  });
});

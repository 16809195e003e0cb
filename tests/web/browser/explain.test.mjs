// The page of `neardup explain --html` in Chromium, on the screen of a telephone: nothing scrolls sideways.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {edited, launch, onAddress, picture, prose} from './harness.mjs';

const it = {};

before(async () => {
  it.folder = mkdtempSync(join(tmpdir(), 'neardup_explain_'));
  it.browser = await launch();
});

after(async () => {
  await it.browser?.close();
  if (it.folder) rmSync(it.folder, {recursive: true});
});

const long = 'a_name_that_breaks_nowhere_'.repeat(5);
const cases = {
  'short names': ['a.txt', 'b.txt', prose(1), edited(prose(1))],
  'long names': [`${long}a.txt`, `${long}b.txt`, prose(2), edited(prose(2))],
  'long words': ['a.txt', 'b.txt', `${'x'.repeat(500)} ${prose(3)}`, `${'x'.repeat(499)}y ${prose(3)}`],
  'one text': ['a.txt', null, prose(4), null],
};

for (const [name, [a, b, textOfA, textOfB]] of Object.entries(cases)) {
  for (const flags of [[], ['--family', 'simhash', '--details']]) {
    test(`${name} ${flags.join(' ')}`, async () => {
      const folder = mkdtempSync(join(it.folder, 'run_'));
      writeFileSync(join(folder, a), textOfA);
      if (b) writeFileSync(join(folder, b), textOfB);
      execFileSync(process.env.NEARDUP_PROGRAM, ['explain', a, ...(b ? [b] : []), '--html', 'page.html', ...flags], {cwd: folder});
      const address = pathToFileURL(join(folder, 'page.html')).href;
      await onAddress(it.browser, address, (url) => url.startsWith(address), async (page) => {
        await picture(page, `explain-${name.replaceAll(' ', '-')}-${flags.length}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
      }, {viewport: {width: 390, height: 844}, hasTouch: true});
    });
  }
}

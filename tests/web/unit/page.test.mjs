import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {routeOf} from '../../../web/src/route.js';
import {withQuery} from '../../../web/src/api.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const sources = ['web/src', 'web/report', 'web/similar'].flatMap((folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.js'))
    .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')]));

/** Returns the colours that a style sheet names, the light ones and the dark ones. */
function colours(css) {
  const blocks = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, body]) => Object.fromEntries(
      [...body.matchAll(/--([a-z-]+): (#[0-9a-f]{6})\b/g)].map(([, name, value]) => [name, value])));
  return blocks.filter((block) => block.ground).slice(0, 2);
}

test('the page and the report have the same colours', () => {
  const report = colours(readFileSync(join(root, 'src/neardup/report/page_style.cc'), 'utf8'));
  const page = colours(readFileSync(join(root, 'web/palette.css'), 'utf8'));
  assert.equal(report.length, 2);
  report.forEach((block, i) => {
    assert.ok(Object.keys(block).length > 15);
    for (const [name, value] of Object.entries(block)) assert.equal(page[i][name], value, `--${name}`);
  });
});

test('no text becomes markup', () => {
  for (const [name, source] of sources) {
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function/, name);
  }
});

test('the page of markup holds no script and no style', () => {
  const html = readFileSync(join(root, 'web/index.html'), 'utf8');
  assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|https?:/);
});

test('an address leads to a view', () => {
  assert.deepEqual(routeOf(''), {view: 'ask', id: null});
  assert.deepEqual(routeOf('#/tags'), {view: 'tags', id: null});
  assert.deepEqual(routeOf('#/nowhere'), {view: 'ask', id: null});
  assert.deepEqual(routeOf('#/constructor'), {view: 'ask', id: null});
  assert.deepEqual(routeOf('#/documents'), {view: 'documents', id: null});
  for (const id of ['a', 'a/b', 'ä 1%', '%', '', '\n', '#?&']) {
    assert.deepEqual(routeOf('#/documents/' + encodeURIComponent(id)), {view: 'documents', id});
  }
  assert.deepEqual(routeOf('#/documents/100%'), {view: 'documents', id: '100%'});
});

test('parameters without a value are left out', () => {
  assert.equal(withQuery('/v1/clusters', {limit: 5, after: null, kept: ''}), '/v1/clusters?limit=5');
  assert.equal(withQuery('/v1/clusters', {kept: 'a&b'}), '/v1/clusters?kept=a%26b');
  assert.equal(withQuery('/v1/tags', {}), '/v1/tags');
});

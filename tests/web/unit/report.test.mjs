// The threshold of report.html without a browser: against the slowest obvious way, over many small graphs.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {clustersOf, figuresOf, histogram, keptAt, pairOf, similarityToKept} from '../../../web/report/clusters.js';
import {lowestStep, numbersOf, unpack} from '../../../web/report/data.js';
import {filtered, rowsOf, sorted} from '../../../web/report/rows.js';
import {share, similarityWords} from '../../../web/report/words.js';

const kNone = 0xffffffff;

const base64 = (numbers) => Buffer.from(Uint32Array.from(numbers).buffer).toString('base64');

const noneLeftOut = {clusters: 0, largest: 0, kept: 0, exact: 0, near: 0, nearBySimilarity: new Array(101).fill(0)};

/** `documents`: [[source, bytes, sameAs, example]]; `pairs`: [[better, worse, similarity, distance]], by worse. */
function page(documents, pairs, more = {}) {
  return unpack({
    ids: documents.map((_, i) => `d${i}`), documents: base64(documents.flat()),
    pairs: base64(pairs.flatMap(([better, worse, similarity, distance = 0]) => [better, worse, similarity * 65536 + distance])),
    hasAllPairs: true, areComponents: false, sources: [{name: 'x'}, {name: 'y'}], leftOut: noneLeftOut, threshold: 0.5, ...more,
  });
}

function random(seed) {
  let state = seed * 7919 + 1;
  return (below) => (state = state * 48271 % 2147483647) % below;
}

/** Any graph of up to twelve documents, with equal texts and references. */
function anyPage(seed, more) {
  const next = random(seed);
  const count = 1 + next(12);
  const references = next(3) === 0 ? next(count) : 0;
  const documents = Array.from({length: count}, (_, i) => {
    const earlier = i > 0 && i >= references && next(4) === 0 ? next(i) : i;
    return [i < references ? kNone : next(2), 10 * i, earlier, 0];
  });
  documents.forEach((document, i) => {
    while (documents[document[2]][2] !== document[2]) document[2] = documents[document[2]][2];
  });
  const pairs = [];
  for (let worse = references; worse < count; ++worse) {
    for (let better = 0; better < worse; ++better) {
      const areBest = documents[better][2] === better && documents[worse][2] === worse;
      if (areBest && next(2) === 0) pairs.push([better, worse, 5000 + next(5001)]);
    }
  }
  return page(documents, pairs, more);
}

/** Stars by their definition (docs/design/stars.md): a document goes to the first kept one that is similar to it. */
function starsByDefinition(data, level) {
  const similar = (a, b) => [...data.better.keys()].some((p) => data.better[p] === a && data.worse[p] === b && data.similarity[p] >= level);
  const kept = [];
  data.ids.forEach((_, i) => {
    if (data.sameAs[i] !== i) return kept.push(kept[data.sameAs[i]]);
    const first = data.source[i] < 0 ? undefined : [...Array(i).keys()].find((j) => kept[j] === j && similar(j, i));
    return kept.push(first ?? i);
  });
  return kept;
}

/** Components by walking from each document to all that can be reached. */
function componentsByWalking(data, level) {
  const near = data.ids.map(() => new Set());
  const tie = (a, b) => near[a].add(b) && near[b].add(a);
  data.better.forEach((a, p) => data.similarity[p] >= level && tie(a, data.worse[p]));
  data.sameAs.forEach((a, i) => tie(a, i));
  return data.ids.map((_, i) => {
    const reached = new Set([i]);
    for (const j of reached) near[j].forEach((k) => reached.add(k));
    return data.source[i] < 0 ? i : Math.min(...reached);
  });
}

test('stars are those of the definition, at every threshold', () => {
  for (let seed = 1; seed < 400; ++seed) {
    const data = anyPage(seed, {});
    for (const level of [0, 5000, 6200, 8000, 9900, 10000]) {
      assert.deepEqual([...keptAt(data, level)], starsByDefinition(data, level), `${seed} at ${level}`);
    }
  }
});

test('components are all that can be reached', () => {
  for (let seed = 1; seed < 400; ++seed) {
    const data = anyPage(seed, {areComponents: true});
    for (const level of [0, 5000, 7700, 10000]) {
      assert.deepEqual([...keptAt(data, level)], componentsByWalking(data, level), `${seed} at ${level}`);
    }
  }
});

test('a document that comes back takes in another one', () => {
  const data = page([[0, 1, 0, 0], [0, 1, 1, 0], [1, 1, 2, 0]], [[0, 1, 8000], [1, 2, 9500]]);
  assert.deepEqual([...keptAt(data, 0)], [0, 0, 2]);
  assert.deepEqual([...keptAt(data, 9000)], [0, 1, 1]);
});

test('figures are sums over the documents', () => {
  for (let seed = 1; seed < 200; ++seed) {
    const data = anyPage(seed, {});
    const kept = keptAt(data, 7000);
    const figures = figuresOf(data, kept, 7000);
    const removed = [...kept.keys()].filter((i) => kept[i] !== i);
    assert.equal(figures.removed, removed.length);
    assert.equal(figures.exact + figures.near, removed.length);
    assert.equal(figures.bytes, removed.reduce((sum, i) => sum + 10 * i, 0));
    assert.equal(figures.bySource[0] + figures.bySource[1], removed.filter((i) => data.source[i] >= 0).length);
    const clusters = clustersOf(kept);
    assert.equal(figures.clusters, clusters.length);
    assert.equal(figures.largest, clusters.length === 0 ? 0 : clusters[0].members.length + 1);
    assert.equal(rowsOf(data, kept, similarityToKept(data, kept)).filter(({kind}) => kind !== 'other').length, removed.length);
    const near = histogram(data, kept, similarityToKept(data, kept), lowestStep(data)).reduce((sum, count) => sum + count, 0);
    assert.equal(near, figures.near);
  }
});

test('what was left out is counted by its similarity', () => {
  const nearBySimilarity = new Array(101).fill(0);
  nearBySimilarity[60] = 3;
  nearBySimilarity[90] = 4;
  const data = page([[0, 1, 0, 0], [0, 1, 1, 0]], [[0, 1, 8000]], {leftOut: {clusters: 5, largest: 9, kept: 5, exact: 2, near: 7, nearBySimilarity}});
  assert.equal(figuresOf(data, keptAt(data, 0), 0).removed, 10);
  assert.equal(figuresOf(data, keptAt(data, 6000), 6000).removed, 10);
  assert.equal(figuresOf(data, keptAt(data, 6100), 6100).removed, 7);
  assert.equal(figuresOf(data, keptAt(data, 9000), 9000).removed, 6);
  assert.equal(figuresOf(data, keptAt(data, 9100), 9100).removed, 2);
  assert.equal(figuresOf(data, keptAt(data, 0), 0).largest, 9);
});

test('numbers are unpacked as they were packed', () => {
  const numbers = [0, 1, 255, 256, 65535, 65536, 0x7fffffff, 0xffffffff];
  for (let length = 0; length <= numbers.length; ++length) {
    assert.deepEqual([...numbersOf(base64(numbers.slice(0, length)))], numbers.slice(0, length));
  }
  const data = page([[kNone, 1, 0, 0], [0, 2, 1, 7]], [[0, 1, 7654, 0xffff]]);
  assert.deepEqual([...data.source], [-1, 0]);
  assert.deepEqual([...data.example], [0, 7]);
  assert.equal(data.distanceOf(0), null);
  assert.equal(pairOf(data, 0, 1), 0);
  assert.equal(pairOf(data, 1, 0), -1);
});

test('the slider begins where the run did', () => {
  assert.equal(lowestStep(page([[0, 1, 0, 0]], [], {threshold: 0.29})), 29);
  assert.equal(lowestStep(page([[0, 1, 0, 0], [0, 1, 1, 0]], [[0, 1, 4321]])), 43, 'some rules take pairs below their threshold');
  assert.equal(lowestStep(page([[0, 1, 0, 0]], [], {threshold: 0})), 0);
});

test('rows are filtered and sorted', () => {
  const data = page([[0, 1, 0, 0], [1, 1, 1, 2], [0, 1, 0, 0], [1, 1, 3, 0]], [[0, 1, 8000], [1, 3, 9000], [0, 3, 8500]].sort((a, b) => a[1] - b[1] || a[0] - b[0]));
  const kept = keptAt(data, 0);
  const rows = rowsOf(data, kept, similarityToKept(data, kept));
  assert.deepEqual(rows.map(({a, b, kind}) => [a, b, kind]), [[0, 1, 'near'], [0, 2, 'exact'], [0, 3, 'near'], [1, 3, 'other']]);
  const ask = (more, comesBack = () => false) =>
    filtered(data, rows, {text: '', kind: 'removed', source: -2, back: false, ...more}, comesBack).map(({b, kind}) => `${b}${kind[0]}`);
  assert.deepEqual(ask({}), ['1n', '2e', '3n']);
  assert.deepEqual(ask({kind: 'all'}), ['1n', '2e', '3n', '3o']);
  assert.deepEqual(ask({kind: 'texts'}), ['1n']);
  assert.deepEqual(ask({text: ' D3 '}), ['3n']);
  assert.deepEqual(ask({source: 1, kind: 'all'}), ['1n', '3n', '3o']);
  assert.deepEqual(ask({back: true}, (document) => document === 1), ['1n']);
  assert.deepEqual(sorted(data, rows, 'similarity', true).map(({similarity}) => similarity), [10000, 9000, 8500, 8000]);
  assert.deepEqual(sorted(data, rows, 'removed', false).map(({b}) => b), [1, 2, 3, 3]);
});

test('words do not round up', () => {
  assert.equal(similarityWords(7999), '0.799');
  assert.equal(similarityWords(9999), '0.999');
  assert.equal(similarityWords(10000), '1');
  assert.equal(similarityWords(-1), '–');
  assert.equal(share(0, 0), '0 %');
  assert.equal(share(1, 100000), '< 0.1 %');
  assert.equal(share(99999, 100000), '> 99.9 %');
});

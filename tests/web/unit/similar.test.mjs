// The page of similar files without a browser: against the slowest obvious way, over many small graphs.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {byBothShares, cellsOf, chosen, shareOf} from '../../../web/similar/choice.js';
import {commonFolder, countsAt, histogram, shareWords, unpack} from '../../../web/similar/data.js';
import {bySimilarity, groupsAt, linkage} from '../../../web/similar/groups.js';
import {lines, linesOf, segments} from '../../../web/similar/marks.js';
import {filtered, inOrder} from '../../../web/similar/pairs.js';
import {placed} from '../../../web/similar/spring.js';
import {pairCommand} from '../../../web/similar/words.js';

test('the command of a pair has the flags of the page, as far as no shell takes them for something else', () => {
  assert.equal(pairCommand([]), 'neardup similar --show 9 --threshold 0');
  assert.equal(pairCommand(['--substring 30', '--fold code', '--binary']), 'neardup similar --show 9 --threshold 0 --substring 30 --fold code --binary');
  for (const bad of ['--anchor a b', '--anchor $(x)', '--anchor ;', 'x', '--anchor \\n']) assert.equal(pairCommand([bad]), null);
});

const base64 = (numbers) => Buffer.from(Uint32Array.from(numbers).buffer).toString('base64');

/** `files`: [[bytes, isReference]]; `pairs`: [[a, b, aInB, bInA, basis, text]]. */
function page(files, pairs, more = {}) {
  return unpack({
    names: files.map((_, i) => `folder/f${i}`), files: base64(files.flatMap(([bytes, isReference = 0]) => [bytes % 2 ** 32, bytes / 2 ** 32, isReference])),
    pairs: base64(pairs.flatMap(([a, b, aInB, bInA, basis = 0, text = 0]) => [a, b, aInB * 65536 + bInA, basis + text * 4])),
    leftOut: new Array(101).fill(0), leftOutEqual: 0, threshold: 0.25, hasReferences: false, flags: [], ...more,
  });
}

function random(seed) {
  let state = seed * 7919 + 1;
  return (below) => (state = state * 48271 % 2147483647) % below;
}

function anyPage(seed) {
  const next = random(seed);
  const count = 2 + next(14);
  const pairs = [];
  for (let b = 1; b < count; ++b) for (let a = 0; a < b; ++a) if (next(4) === 0) pairs.push([a, b, 2500 + next(7501), 2500 + next(7501)]);
  return page(Array.from({length: count}, (_, i) => [i]), pairs);
}

/** Groups by walking from each file to all that can be reached. */
function groupsByWalking(data, level) {
  const near = data.ids.map(() => new Set());
  data.a.forEach((a, p) => data.similarity[p] >= level && near[a].add(data.b[p]) && near[data.b[p]].add(a));
  return data.ids.map((_, i) => {
    const reached = new Set([i]);
    for (const j of reached) near[j].forEach((k) => reached.add(k));
    return reached.size > 1 ? Math.min(...reached) : -1;
  });
}

test('groups are what pairs connect, at every threshold, and stand together in one order', () => {
  for (let seed = 1; seed < 400; ++seed) {
    const data = anyPage(seed);
    const linked = linkage(data);
    assert.deepEqual([...linked.order].sort((x, y) => x - y), data.ids.map((_, i) => i));
    for (const level of [0, 2500, 5000, 7000, 9000, 10000]) {
      const {groups, groupOf} = groupsAt(linked, level);
      const least = groups.map(({first, size}) => Math.min(...linked.order.slice(first, first + size)));
      assert.deepEqual(data.ids.map((_, i) => groupOf[i] < 0 ? -1 : least[groupOf[i]]), groupsByWalking(data, level), `${seed} at ${level}`);
      groups.forEach(({size}, g) => assert.ok(g === 0 || size <= groups[g - 1].size, 'the largest first'));
    }
  }
});

test('a group that loses files keeps its colour', () => {
  const data = page([[1], [1], [1], [1]], [[0, 1, 9000, 9000], [2, 3, 8000, 8000], [1, 2, 5000, 5000]]);
  const linked = linkage(data);
  const colours = (level) => [...groupsAt(linked, level).colourOf];
  const [all, two] = [colours(0), colours(6000)];
  assert.equal(new Set(all).size, 1);
  assert.equal(two[linked.order[0]], all[0]);
  assert.notEqual(two[0], two[3]);
  assert.deepEqual(colours(8500).filter((colour) => colour < 0).length, 2);
});

test('counts and the histogram have what was left out', () => {
  const leftOut = new Array(101).fill(0);
  leftOut[40] = 3;
  const data = page([[1], [1], [1]], [[0, 1, 10000, 10000, 2], [0, 2, 4100, 3000], [1, 2, 3000, 2600]], {leftOut, leftOutEqual: 2});
  assert.deepEqual(countsAt(data, 0), {similar: 5, equal: 3});
  assert.deepEqual(countsAt(data, 4000), {similar: 4, equal: 3});
  assert.deepEqual(countsAt(data, 4100), {similar: 1, equal: 3});
  const counts = histogram(data, 25);
  assert.deepEqual([counts[5], counts[15], counts[16], counts[75]], [1, 3, 1, 0], 'equal files are no part of it');
});

test('sizes of more than 4 GiB, and copies', () => {
  const data = page([[5 * 2 ** 32 + 7], [3], [3, 1]], [[1, 0, 10000, 10000, 2], [0, 2, 10000, 10000, 2]], {hasReferences: true});
  assert.equal(data.bytes[0], 5 * 2 ** 32 + 7);
  assert.deepEqual([...data.isCopy], [1, 0, 0], 'one that equals a reference stands for itself');
});

test('the matrix has the files of the most similar pairs, without copies, and both shares of each', () => {
  const data = page([[1], [1], [1], [1], [1]],
      [[0, 4, 10000, 10000, 2], [0, 1, 9000, 4000], [2, 3, 8000, 8000], [1, 2, 5000, 3000]]);
  const [pairs, linked] = [byBothShares(data), linkage(data)];
  assert.deepEqual([...pairs], [0, 2, 1, 3]);
  const of = (level, most, group = null) => {
    const {groupOf} = groupsAt(linked, level);
    return chosen(data, linked, pairs, {level, most, groupOf, group});
  };
  assert.deepEqual([...of(0, 9).rows].sort(), [0, 1, 2, 3]);
  assert.deepEqual([...of(0, 2).rows].sort(), [2, 3], 'those that have most in each other');
  assert.deepEqual([...of(8500, 9).rows].sort(), [0, 1]);
  const files = of(0, 9);
  const cells = cellsOf(data, files, 0);
  files.rows.forEach((row, i) => files.columns.forEach((column, j) => {
    const pair = cells[i * files.columns.length + j];
    const expected = {'0,1': 9000, '1,0': 4000, '2,3': 8000, '3,2': 8000, '1,2': 5000, '2,1': 3000}[`${row},${column}`];
    assert.equal(pair < 0 ? undefined : shareOf(data, pair, row), expected, `${row} in ${column}`);
  }));
});

test('with references the rows are the inputs, the columns the references', () => {
  const data = page([[1], [1], [1, 1], [1, 1]], [[0, 1, 10000, 10000, 2], [0, 2, 9000, 100], [0, 3, 5000, 5000]], {hasReferences: true});
  const linked = linkage(data);
  const {rows, columns} = chosen(data, linked, bySimilarity(data), {level: 0, most: 9, groupOf: groupsAt(linked, 0).groupOf, group: null});
  assert.deepEqual([[...rows], [...columns].sort()], [[0], [2, 3]]);
});

test('segments cover a text once, each with the passages that lie over it', () => {
  for (let seed = 1; seed < 300; ++seed) {
    const next = random(seed);
    const length = 1 + next(40);
    const places = Array.from({length: next(6)}, () => {
      const begin = next(length);
      return [next(2), begin, begin + 1 + next(length - begin)];
    });
    const cut = segments(places, 0, length);
    assert.equal(cut.reduce((at, {begin, end}) => begin === at ? end : NaN, 0), length);
    for (const {begin, end, passages} of cut) {
      for (let at = begin; at < end; ++at) {
        const expected = [...places.keys()].filter((p) => places[p][0] === 0 && places[p][1] <= at && at < places[p][2]);
        assert.deepEqual(passages, expected, `${seed} at ${at}`);
      }
    }
  }
});

test('lines have the pieces of a text, and say where passages begin', () => {
  const text = 'one\ntwo three\n\nfour\n';
  const result = lines(text, 7, segments([[0, 4, 16]], 0, text.length));
  assert.deepEqual(result.map(({number}) => number), [7, 8, 9, 10]);
  assert.equal(result.map(({pieces}) => pieces.map((piece) => piece.text).join('')).join('\n') + '\n', text);
  assert.deepEqual(result.flatMap(({number, pieces}) => pieces.flatMap(({starts}) => starts.map((passage) => [number, passage]))), [[8, 0]]);
  assert.deepEqual(linesOf([[7, text]], [0, 4, 16]), {first: 8, last: 10});
  assert.deepEqual(linesOf([[7, text]], [0, 4, 14]), {first: 8, last: 8}, 'a line feed is part of its line');
  assert.deepEqual(lines('', 1, segments([], 0, 0)).map(({number}) => number), [1]);
});

test('a passage that begins with a line feed has its label on the next line', () => {
  const of = (text, places) => lines(text, 1, segments(places, 0, text.length)).map(({pieces}) => pieces.map(({text, starts}) => [text, starts]));
  assert.deepEqual(of('a\nb', [[0, 1, 3]]), [[['a', []]], [['b', [0]]]]);
  assert.deepEqual(of('a\n\nb', [[0, 1, 3]]), [[['a', []]], [], [['', [0]], ['b', []]]], 'line feeds alone: where they end');
});

test('rows are filtered and sorted', () => {
  const data = page([[10], [9], [1]], [[0, 1, 10000, 10000, 2], [0, 2, 4100, 9000, 0, 1], [1, 2, 3000, 2600]]);
  const now = {level: 0, groupOf: groupsAt(linkage(data), 0).groupOf};
  const rows = [0, 1, 2];
  const of = (more, level = 0) => filtered(data, rows, {text: '', kind: 'all', group: -1, ...more}, {...now, level});
  assert.deepEqual(of({}), [0, 1, 2]);
  assert.deepEqual(of({}, 9000), [0, 1]);
  assert.deepEqual(of({text: 'F2'}), [1, 2]);
  assert.deepEqual(of({kind: 'equal'}), [0]);
  assert.deepEqual(of({kind: 'different'}), [1, 2]);
  assert.deepEqual(of({kind: 'texts'}), [1]);
  assert.deepEqual(of({group: 1}), []);
  assert.deepEqual(inOrder(data, rows, 'aInB', false), [2, 1, 0]);
  assert.deepEqual(inOrder(data, rows, 'size', true), [0, 1, 2]);
  assert.deepEqual(inOrder(data, rows, 'b', true), [1, 2, 0]);
});

test('places in the graph are finite, apart, and the same each time', () => {
  const count = 60;
  const pairs = [];
  for (let b = 1; b < count; ++b) for (let a = 0; a < b; ++a) if (b < 30 || a === 0) pairs.push([pairs.length, a, b, 0.9]);
  const place = () => placed([...Array(count).keys()], [...pairs, [999, 0, count, 1]]);
  const {nodes, edges, r} = place();
  assert.equal(edges.length, pairs.length, 'a pair with a file that is not drawn is none');
  const distances = nodes.flatMap((node, i) => nodes.slice(0, i).map((other) => Math.hypot(node.x - other.x, node.y - other.y)));
  assert.ok(Math.min(...distances) > 0.5, `${Math.min(...distances)}`);
  assert.ok(r < 60, `${r}`);
  assert.deepEqual(place().nodes, nodes);
  assert.deepEqual(placed([7, 8], [[0, 7, 8, 1]]).nodes.map(({file}) => file), [7, 8]);
});

test('words', () => {
  assert.equal(shareWords(10000), '100 %');
  assert.equal(shareWords(9999), '99.9 %');
  assert.equal(shareWords(6159), '61.6 %');
  assert.equal(shareWords(6155), '61.6 %');
  assert.equal(shareWords(6154), '61.5 %');
  assert.equal(commonFolder(['a/b/c.c', 'a/b/d/c.c', 'a/bx/c']), 'a/');
  assert.equal(commonFolder(['a/b', 'a/b']), 'a/');
  assert.equal(commonFolder(['x', 'y']), '');
  assert.equal(commonFolder(['a/b']), '');
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {differ, hunks, looksLikeHtml, trimmed} from '../../../web/src/pieces.js';

const joined = (parts) => parts.map(({text}) => text).join('');
const equal = (text) => ({kind: 'equal', a: text, b: text});
const words = (count, name = 'word') => Array.from({length: count}, (_, i) => `${name}${i} `).join('');

test('what differs is marked on its own side', () => {
  const [hunk] = hunks([equal('The ferry '), {kind: 'only_a', a: 'leaves '}, {kind: 'only_b', b: 'will leave '}, equal('at noon.')]);
  assert.deepEqual(hunk.a, [{text: 'The ferry ', marked: false}, {text: 'leaves ', marked: true}, {text: 'at noon.', marked: false}]);
  assert.deepEqual(hunk.b.map(({text}) => text), ['The ferry ', 'will leave ', 'at noon.']);
});

test('long equal runs are folded, and the count of their words is right', () => {
  const long = words(500);
  const result = hunks([equal(long), {kind: 'only_a', a: 'one '}, equal(long), {kind: 'only_b', b: 'two '}, equal(long)]);
  assert.deepEqual(result.map((each) => 'fold' in each ? 'fold' : 'hunk'), ['fold', 'hunk', 'fold', 'hunk', 'fold']);
  const shown = result.filter((each) => each.a).flatMap(({a}) => joined(a).split(/\s+/)).filter((word) => word.startsWith('word'));
  assert.equal(shown.length + result.reduce((sum, each) => sum + (each.fold ?? 0), 0), 1500);
});

test('whole texts are shown whole, whatever the pieces', () => {
  let state = 1;
  const random = (below) => (state = state * 48271 % 2147483647) % below;
  for (let round = 0; round < 300; ++round) {
    const pieces = Array.from({length: random(12)}, (_, i) => {
      const text = words(random(120), 'ab\u{1F600}'.slice(0, 1 + random(4)));
      return [equal(text), {kind: 'only_a', a: text}, {kind: 'only_b', b: text}][random(3)];
    });
    const whole = hunks(pieces, true);
    for (const side of ['a', 'b']) {
      const expected = pieces.map((piece) => piece[side] ?? '').join('');
      assert.equal(whole.map((hunk) => joined(hunk[side])).join(''), expected);
      for (const hunk of hunks(pieces)) {
        if (hunk.a) assert.ok(expected.includes(joined(hunk[side])), 'what is shown stands in the text, in one piece');
      }
    }
  }
});

test('a character of two halves is not cut', () => {
  const smiles = '\u{1F600}'.repeat(400);
  for (const hunk of hunks([equal(smiles), {kind: 'only_a', a: 'x'}, equal(smiles)])) {
    for (const {text} of hunk.a ?? []) assert.ok(text.isWellFormed?.() ?? true);
  }
});

test('one equal piece is shown, nothing gives nothing', () => {
  assert.deepEqual(hunks([]), []);
  assert.equal(joined(hunks([equal(words(300))])[0].a), words(300));
  assert.equal(differ([equal('a')]), false);
  assert.equal(differ([equal('a'), {kind: 'only_a', a: 'b'}]), true);
});

test('white space is not marked', () => {
  assert.deepEqual(trimmed(' two words \n'), [' ', 'two words', ' \n']);
  assert.deepEqual(trimmed('  '), ['  ', '', '']);
  assert.deepEqual(trimmed('x'), ['', 'x', '']);
});

test('pages are told from texts', () => {
  for (const html of ['<!DOCTYPE html><html>', '  \n<html lang="de">', '<div class="x">', '<p>Hello', '\uFEFF<!doctype HTML>',
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC']) {
    assert.ok(looksLikeHtml(html), html);
  }
  for (const text of ['', 'a < b', '<3 you', '<person> said', 'I say <b>', '{"text":"<p>"}']) assert.ok(!looksLikeHtml(text), text);
});

// How two texts differ, side by side, and why they are duplicates or not.
import {request} from './api.js';
import {announce, fill, h, idLink, loading} from './dom.js';
import {count, similarity} from './format.js';
import {differ, hunks, trimmed} from './pieces.js';
import {attempt} from './problem.js';

/** How many parts of texts are put on the page at once: more would make it slow. */
const kMostParts = 4000;

function sideName(side, fallback) {
  return side?.id === null || side?.id === undefined ? fallback : idLink(side.id);
}

function sideOf(parts, label, mark) {
  return h('div', {class: 'side', data: {label}}, parts.map(({text, marked}) => {
    if (!marked) return text;
    const [before, inner, after] = trimmed(text);
    return [before, inner === '' ? null : h(mark, {}, inner), after];
  }));
}

// As in report.html: green is what the first, kept text has alone, red what the other has.
function hunkOf(hunk) {
  if ('fold' in hunk) return h('p', {class: 'fold'}, `${count(hunk.fold)} equal ${hunk.fold === 1 ? 'word' : 'words'}`);
  return h('div', {class: 'hunk'}, sideOf(hunk.a, 'A', 'ins'), sideOf(hunk.b, 'B', 'del'));
}

function textsOf(answer, whole) {
  if (!differ(answer.pieces) && !whole) {
    return [h('p', {class: 'fold'}, 'As they are compared, the two texts are the same.')];
  }
  return hunks(answer.pieces, whole).map(hunkOf);
}

function differences(answer) {
  const texts = h('div', {class: 'texts'});
  const pieces = answer.pieces.slice(0, kMostParts);
  const cut = answer.truncated || pieces.length < answer.pieces.length;
  const put = (whole) => fill(texts, textsOf({...answer, pieces}, whole),
      cut ? h('p', {class: 'fold'}, 'The texts go on; the rest of the differences is not shown.') : null);
  let whole = false;
  const button = h('button', {type: 'button', class: 'small', 'aria-pressed': 'false', on: {click: () => {
    whole = !whole;
    button.setAttribute('aria-pressed', String(whole));
    put(whole);
  }}}, 'Whole texts');
  put(false);
  const isCut = hunks(pieces).some((hunk) => 'fold' in hunk) || !differ(pieces);
  return [texts, isCut ? h('div', {class: 'inside'}, h('div', {class: 'row'}, button)) : null];
}

function verdictWords(answer) {
  const figures = [
    answer.similarity === null || answer.similarity === undefined ? null : `similarity ${similarity(answer.similarity)}`,
    answer.distance === null || answer.distance === undefined ? null : `distance ${answer.distance}`,
    answer.estimate ? 'estimated' : null,
  ].filter(Boolean).join(', ');
  const words = {exact: 'equal texts', near: 'near-duplicates', contained: 'the shorter one stands in the longer', different: 'different'}[answer.verdict] ?? answer.verdict;
  return figures ? `${words}: ${figures}` : words;
}

/**
 * Returns an element that asks why `a` and `b` ({id}, {text} or {html}) are duplicates or not, and shows it. `verdict`:
 * whether that of the two is said, too. `signal` ends the question early.
 */
export function comparison(a, b, {verdict = false, fallback = 'your text', signal} = {}) {
  const place = h('div', {}, h('div', {class: 'inside'}, loading('Comparing the two texts')));
  const load = async () => {
    const failed = h('div', {class: 'inside'});
    const done = await attempt(failed, async () => {
      const answer = await request('POST', '/v1/explain', {a, b}, signal);
      fill(place,
          verdict ? h('p', {class: 'inside'}, h('span', {class: `badge ${answer.verdict}`}, verdictWords(answer))) : null,
          answer.why?.length ? h('ul', {class: 'why'}, answer.why.map((line) => h('li', {dir: 'auto'}, line))) : null,
          h('div', {class: 'ids'},
              h('p', {}, h('span', {}, 'A'), sideName(answer.a, fallback)),
              h('p', {}, h('span', {}, 'B'), sideName(answer.b, fallback))),
          differences(answer));
      announce(`Compared: ${verdictWords(answer)}.`);
    }, () => {
      fill(place, h('div', {class: 'inside'}, loading('Comparing the two texts')));
      load();
    });
    if (!done) fill(place, failed);
  };
  load();
  return place;
}

// The table of pairs of files.
import {bytes} from '../src/format.js';
import {h} from '../src/dom.js';
import {PairTable} from '../report/table.js';
import {kEqual, shareWords} from './data.js';
import {basisWords, nameOf} from './words.js';

const columns = [['similarity', 'Similarity'], ['aInB', 'First in second'], ['bInA', 'Second in first'], ['a', 'First file'], ['b', 'Second file'],
  ['size', 'Size']];

const collator = new Intl.Collator('en', {numeric: true});

/** Returns the place of each file when they are sorted by name: numbers sort faster than names. */
function placesByName(ids) {
  const places = new Uint32Array(ids.length);
  [...ids.keys()].sort((i, j) => collator.compare(ids[i], ids[j])).forEach((file, place) => { places[file] = place; });
  return places;
}

/** Returns `rows`, numbers of pairs, in the order of a column; those that are alike as the page has them. */
export function inOrder(data, rows, column, isDescending) {
  const places = column === 'a' || column === 'b' ? placesByName(data.ids) : null;
  const size = (pair) => data.bytes[data.a[pair]] + data.bytes[data.b[pair]];
  const value = {
    similarity: (pair) => data.similarity[pair] + Math.min(data.aInB[pair], data.bInA[pair]) / 20000,  // of equal ones the closer on both sides
    aInB: (pair) => data.aInB[pair], bInA: (pair) => data.bInA[pair],
    a: (pair) => places[data.a[pair]], b: (pair) => places[data.b[pair]], size,
  }[column];
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((p, q) => sign * (value(p) - value(q)) || p - q);
}

const takes = {
  all: () => true,
  different: (data, pair) => data.basis[pair] !== kEqual,
  equal: (data, pair) => data.basis[pair] === kEqual,
  texts: (data, pair) => data.text[pair] > 0,
};

/** Returns those of `rows` of at least `level` that are wanted: `text` in a name, `kind` of `takes`, `group` (-1: any). */
export function filtered(data, rows, {text, kind, group}, {level, groupOf}) {
  const wanted = text.trim().toLowerCase();
  const has = wanted === '' ? null : data.ids.map((id) => id.toLowerCase().includes(wanted));
  return rows.filter((pair) => data.similarity[pair] >= level && takes[kind](data, pair) &&
    (group < 0 || groupOf[data.a[pair]] === group) && (has === null || has[data.a[pair]] || has[data.b[pair]]));
}

export class FilePairs extends PairTable {
  /** `onPair` gets the rows and the number of the one to show. */
  constructor(data, now, onPair) {
    super(data, {all: inOrder(data, [...data.similarity.keys()], 'similarity', true), columns, column: 'similarity', isDescending: true});
    this.onPair = onPair;
    this.now = now;
  }

  makeFilters() {
    const changed = () => this.filter();
    const text = h('input', {type: 'search', placeholder: 'Filter by name', 'aria-label': 'Filter pairs by name', on: {input: () => this.refilter()}});
    const kind = h('select', {'aria-label': 'Kind of pair', on: {change: changed}},
        [['different', 'similar files'], ['equal', 'equal files'], ['texts', 'with their texts here'], ['all', 'all pairs']]
            .map(([value, words]) => h('option', {value}, words)));
    if (this.data.basis.every((basis) => basis === kEqual)) kind.value = 'all';
    const group = h('input', {type: 'checkbox', on: {change: changed}});
    return {text, kind, group, element: h('div', {class: 'filter x-filter'}, text, kind, h('label', {}, group, ' chosen group only'))};
  }

  inOrder(rows, column, isDescending) {
    return inOrder(this.data, rows, column, isDescending);
  }

  wanted() {
    const {text, kind, group} = this.filters;
    return filtered(this.data, this.all, {text: text.value, kind: kind.value, group: group.checked ? this.now.group : -1}, this.now);
  }

  /** `now`: {level, groupOf, group} (the chosen one). */
  update(now) {
    this.now = now;
    this.filter();
  }

  /** Another group was chosen. */
  regroup() {
    if (this.filters.group.checked) this.filter();
  }

  // A move of the slider mostly leaves the first page as it is.
  fillBody(rows, first) {
    const shown = `${first}: ${rows}`;
    if (shown === this.shownRows) return;
    this.shownRows = shown;
    super.fillBody(rows, first);
  }

  rowOf(pair, number) {
    const {data} = this;
    const [a, b] = [data.a[pair], data.b[pair]];
    const cell = (label, ...words) => h('td', {data: {label}}, ...words);
    const file = (file) => [nameOf(data, file), data.isReference[file] ? h('small', {}, 'reference') : null];
    return h('tr', {},
        h('td', {data: {label: 'similarity'}}, h('button', {type: 'button', class: 'x-link x-figure', on: {click: () => this.onPair(this.rows, number)}},
            shareWords(data.similarity[pair])), h('small', {}, basisWords[data.basis[pair]], data.text[pair] > 0 ? '' : ', no texts')),
        cell('first in second', this.bar(data.aInB[pair])), cell('second in first', this.bar(data.bInA[pair])),
        cell('first', ...file(a)), cell('second', ...file(b)), cell('size', bytes(data.bytes[a]), h('small', {}, bytes(data.bytes[b]))));
  }

  bar(share) {
    return [h('span', {class: 'x-figure'}, shareWords(share)), h('span', {class: 's-bar', 'aria-hidden': 'true'}, h('i', {style: `width: ${share / 100}%`}))];
  }
}

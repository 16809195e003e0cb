// The table of pairs of a run.
import {h} from '../src/dom.js';
import {stateOf, stateWords} from './graph.js';
import {filtered, rowsOf, sorted} from './rows.js';
import {PairTable} from './table.js';
import {idOf, kindWords, similarityWords, sourceOf} from './words.js';

const kMostSources = 200;

const columns = [['similarity', 'Similarity'], ['kind', 'Pair'], ['kept', 'Kept in the run'], ['removed', 'Removed in the run'],
  [null, 'At this threshold']];

export class Pairs extends PairTable {
  /** `onPair` gets the rows and the number of the one to show. */
  constructor(data, ofRun, similarity, onPair) {
    super(data, {all: sorted(data, rowsOf(data, ofRun.kept, similarity), 'similarity', false), columns, column: 'similarity', isDescending: false});
    this.onPair = onPair;
    this.rows = this.wanted();
  }

  makeFilters() {
    const {data} = this;
    const changed = () => this.filter();
    const text = h('input', {type: 'search', placeholder: 'Filter by id', 'aria-label': 'Filter pairs by id', on: {input: () => this.refilter()}});
    const option = ([value, words]) => h('option', {value}, words);
    const kinds = [['removed', 'removed documents'], ['near', 'near-duplicates'], ['exact', 'equal texts'], ['texts', 'with their texts'],
      ...(data.hasAllPairs ? [['other', 'also similar'], ['all', 'all pairs']] : [])];
    const kind = h('select', {'aria-label': 'Kind of pair', on: {change: changed}}, kinds.map(option));
    const source = h('select', {'aria-label': 'Source', on: {change: changed}},
        [[-2, 'all sources'], ...data.sources.slice(0, kMostSources).map(({name}, i) => [i, name])].map(option));
    const back = h('input', {type: 'checkbox', on: {change: changed}});
    return {text, kind, source, back, element: h('div', {class: 'filter x-filter'}, text, kind,
        data.sources.length > 1 ? source : null, h('label', {}, back, ' comes back'))};
  }

  inOrder(rows, column, isDescending) {
    return sorted(this.data, rows, column, isDescending);
  }

  wanted() {
    const {text, kind, source, back} = this.filters;
    const asked = {text: text.value, kind: kind.value, source: Number(source.value), back: back.checked};
    return filtered(this.data, this.all, asked, (document) => this.now.kept[document] === document);
  }

  /** `now`: {ofRun: {kept}, kept} */
  update(now) {
    this.now = now;
    if (this.filters.back.checked) this.refilter();
    this.show();
  }

  rowOf(row, number) {
    const {data, now} = this;
    const state = stateOf(data, now, row.b);
    const cell = (label, ...words) => h('td', {data: {label}}, ...words);
    const document = (number) => [idOf(data, number), h('small', {dir: 'auto'}, sourceOf(data, number))];
    return h('tr', {class: row.kind},
        h('td', {data: {label: 'similarity'}, class: 'x-figure'}, similarityWords(row.similarity)),
        cell('pair', h('button', {type: 'button', class: 'x-link', on: {click: () => this.onPair(this.rows, number)}}, kindWords[row.kind])),
        cell(row.kind === 'other' ? 'one' : 'kept', ...document(row.a)),
        cell(row.kind === 'other' ? 'other' : 'removed', ...document(row.b)),
        h('td', {data: {label: 'now'}, class: `x-state ${state}`}, stateWords[state]));
  }
}

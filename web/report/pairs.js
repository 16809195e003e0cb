// The table of pairs: sorted, filtered, a page at a time.
import {count, counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {stateOf, stateWords} from './graph.js';
import {filtered, rowsOf, sorted} from './rows.js';
import {idOf, kindWords, similarityWords, sourceOf, whenQuiet} from './words.js';

const kRows = 20;
const kMostSources = 200;

const columns = [['similarity', 'Similarity'], ['kind', 'Pair'], ['kept', 'Kept in the run'], ['removed', 'Removed in the run']];

export class Pairs {
  /** `onPair` gets the rows and the number of the one to show. */
  constructor(data, ofRun, similarity, onPair) {
    Object.assign(this, {data, onPair, page: 0, column: 'similarity', isDescending: false});
    this.all = sorted(data, rowsOf(data, ofRun.kept, similarity), 'similarity', false);
    this.body = h('tbody');
    this.shown = h('output', {class: 'x-shown'});
    this.filters = this.makeFilters();
    this.element = h('div', {class: 'x-pairs'}, this.filters.element,
        h('table', {class: 'x-table'}, h('thead', {}, h('tr', {}, this.heads(), h('th', {scope: 'col'}, 'At this threshold'))), this.body),
        this.pager());
    this.rows = this.wanted();
    this.refilter = whenQuiet(() => this.filter(), 120);
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
        data.sources.length > 1 ? source : null, h('label', {}, back, ' comes back'), this.shown)};
  }

  heads() {
    return columns.map(([column, title]) => h('th', {scope: 'col', 'aria-sort': column === this.column ? 'ascending' : null, data: {column}},
        h('button', {type: 'button', on: {click: () => this.sort(column)}}, title)));
  }

  pager() {
    const button = (label, sign, page) => h('button', {type: 'button', class: 'x-small', 'aria-label': label,
      on: {click: () => this.turn(page())}}, sign);
    this.first = button('First page', '«', () => 0);
    this.before = button('Page before', '‹', () => this.page - 1);
    this.next = button('Next page', '›', () => this.page + 1);
    this.last = button('Last page', '»', () => this.lastPage());
    this.where = h('span', {class: 'x-where'});
    return h('div', {class: 'x-pager', role: 'group', 'aria-label': 'Pages of the table'}, this.first, this.before, this.where, this.next, this.last);
  }

  lastPage() {
    return Math.max(0, Math.ceil(this.rows.length / kRows) - 1);
  }

  sort(column) {
    this.isDescending = column === this.column && !this.isDescending;
    this.column = column;
    for (const head of this.element.querySelectorAll('th[data-column]')) {
      head.removeAttribute('aria-sort');
      if (head.dataset.column === column) head.setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
    }
    this.all = sorted(this.data, this.all, column, this.isDescending);
    this.filter();
  }

  wanted() {
    const {text, kind, source, back} = this.filters;
    const asked = {text: text.value, kind: kind.value, source: Number(source.value), back: back.checked};
    return filtered(this.data, this.all, asked, (document) => this.now.kept[document] === document);
  }

  filter() {
    this.rows = this.wanted();
    this.turn(0);
  }

  turn(page) {
    this.page = Math.min(Math.max(0, page), this.lastPage());
    this.show();
  }

  /** `now`: {ofRun: {kept}, kept} */
  update(now) {
    this.now = now;
    if (this.filters.back.checked) this.refilter();
    this.show();
  }

  show() {
    const first = this.page * kRows;
    const rows = this.rows.slice(first, first + kRows);
    const focused = document.activeElement?.closest?.('.x-table tbody tr')?.rowIndex;
    fill(this.body, rows.length > 0 ? rows.map((row, i) => this.rowOf(row, first + i))
      : h('tr', {}, h('td', {colspan: 5, class: 'x-none'}, 'No pair is like that.')));
    if (focused !== undefined) this.body.rows[Math.min(focused, rows.length) - 1]?.querySelector('button')?.focus();
    this.shown.textContent = this.rows.length === this.all.length ? counted(this.all.length, 'pair')
      : `${count(this.rows.length)} of ${counted(this.all.length, 'pair')}`;
    this.where.textContent = rows.length === 0 ? '' : `${count(first + 1)} to ${count(first + rows.length)} of ${count(this.rows.length)}`;
    this.first.disabled = this.before.disabled = this.page === 0;
    this.next.disabled = this.last.disabled = this.page === this.lastPage();
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

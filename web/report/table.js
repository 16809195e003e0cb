// A table of pairs: sorted, filtered, a page at a time. What a row is, which are wanted and in which order is said by those who
// extend it: makeFilters() gives {element, ...}, wanted() the rows, rowOf(row, number) a <tr>, inOrder(rows, column, isDescending).
import {count, counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {whenQuiet} from './words.js';

const kRows = 20;

export class PairTable {
  /** `columns`: [[name, title]]; those without a name cannot be sorted. `all`: the rows, ordered by `column`. */
  constructor(data, {all, columns, column, isDescending}) {
    Object.assign(this, {data, all, rows: all, width: columns.length, page: 0, column, isDescending});
    this.body = h('tbody');
    this.shown = h('output', {class: 'x-shown'});
    this.refilter = whenQuiet(() => this.filter(), 120);
    this.filters = this.makeFilters();
    this.filters.element.append(this.shown);
    this.element = h('div', {class: 'x-pairs'}, this.filters.element,
        h('table', {class: 'x-table'}, h('thead', {}, h('tr', {}, columns.map((each) => this.head(each)))), this.body), this.pager());
  }

  head([column, title]) {
    if (column === null) return h('th', {scope: 'col'}, title);
    return h('th', {scope: 'col', 'aria-sort': column === this.column ? this.direction() : null, data: {column}},
        h('button', {type: 'button', on: {click: () => this.sort(column)}}, title));
  }

  direction() {
    return this.isDescending ? 'descending' : 'ascending';
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
      if (head.dataset.column === column) head.setAttribute('aria-sort', this.direction());
    }
    this.all = this.inOrder(this.all, column, this.isDescending);
    this.filter();
  }

  filter() {
    this.rows = this.wanted();
    this.turn(0);
  }

  turn(page) {
    this.page = Math.min(Math.max(0, page), this.lastPage());
    this.show();
  }

  show() {
    const first = this.page * kRows;
    const rows = this.rows.slice(first, first + kRows);
    this.fillBody(rows, first);
    this.shown.textContent = this.rows.length === this.all.length ? counted(this.all.length, 'pair')
      : `${count(this.rows.length)} of ${counted(this.all.length, 'pair')}`;
    this.where.textContent = rows.length === 0 ? '' : `${count(first + 1)} to ${count(first + rows.length)} of ${count(this.rows.length)}`;
    this.first.disabled = this.before.disabled = this.page === 0;
    this.next.disabled = this.last.disabled = this.page === this.lastPage();
  }

  fillBody(rows, first) {
    const focused = document.activeElement?.closest?.('.x-table tbody tr')?.rowIndex;
    fill(this.body, rows.length > 0 ? rows.map((row, i) => this.rowOf(row, first + i))
      : h('tr', {}, h('td', {colspan: this.width, class: 'x-none'}, 'No pair is like that.')));
    if (focused !== undefined) this.body.rows[Math.min(focused, rows.length) - 1]?.querySelector('button')?.focus();
  }
}

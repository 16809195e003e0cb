// A row of a table of pairs, in a dialog; its neighbours can be reached from there.
import {count} from '../src/format.js';
import {fill, h} from '../src/dom.js';

export class PairDialog {
  constructor() {
    this.title = h('h2', {id: 'x-dialog-title'});
    this.body = h('div', {class: 'x-dialog-body', tabindex: '0', role: 'region', 'aria-labelledby': 'x-dialog-title'});
    this.before = h('button', {type: 'button', class: 'x-small', 'aria-label': 'Pair before', on: {click: () => this.step(-1)}}, '‹');
    this.next = h('button', {type: 'button', class: 'x-small', 'aria-label': 'Next pair', on: {click: () => this.step(1)}}, '›');
    const close = h('button', {type: 'button', class: 'x-small', on: {click: () => this.dialog.close()}}, 'Close');
    this.dialog = h('dialog', {class: 'x-dialog', 'aria-labelledby': 'x-dialog-title', on: {
      keydown: (event) => !event.altKey && !event.ctrlKey && !event.metaKey && this.key(event.key),
      click: (event) => event.target === this.dialog && this.dialog.close()}},
    h('header', {}, this.title, this.before, this.next, close), this.body);
  }

  key(key) {
    if (key === 'ArrowLeft') this.step(-1);
    if (key === 'ArrowRight') this.step(1);
  }

  step(by) {
    const number = this.number + by;
    if (number >= 0 && number < this.rows.length) this.show(this.rows, number);
  }

  /** Shows the row `number` of `rows`, by content(row), which those have that extend this. */
  show(rows, number) {
    Object.assign(this, {rows, number});
    this.title.textContent = rows.length === 1 ? 'The pair' : `Pair ${count(number + 1)} of ${count(rows.length)}`;
    this.before.disabled = number === 0;
    this.next.disabled = number + 1 === rows.length;
    fill(this.body, this.content(rows[number]));
    this.body.scrollTop = 0;
    if (!this.dialog.open) this.dialog.showModal();
    if (document.activeElement.disabled) this.body.focus();  // its keys would be heard by nobody
  }
}

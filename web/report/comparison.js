// A pair side by side, in a dialog: the example of the page where it is one, else what is known of it.
import {count} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {idOf, kindWords, similarityWords, sourceOf} from './words.js';

/** What a shell takes as it is. */
const kPlainWord = /^[A-Za-z0-9_./:@%+,=][A-Za-z0-9_./:@%+,=-]*$/;

export class Comparison {
  constructor(data) {
    this.data = data;
    this.title = h('h2', {id: 'x-dialog-title'});
    this.body = h('div', {class: 'x-dialog-body', tabindex: '0', role: 'region', 'aria-labelledby': 'x-dialog-title'});
    this.before = h('button', {type: 'button', class: 'x-small', 'aria-label': 'Pair before', on: {click: () => this.step(-1)}}, '‹');
    this.next = h('button', {type: 'button', class: 'x-small', 'aria-label': 'Next pair', on: {click: () => this.step(1)}}, '›');
    const close = h('button', {type: 'button', class: 'x-small', on: {click: () => this.dialog.close()}}, 'Close');
    this.dialog = h('dialog', {class: 'x-dialog', 'aria-labelledby': 'x-dialog-title', on: {
      keydown: (event) => this.key(event),
      click: (event) => event.target === this.dialog && this.dialog.close()}},
    h('header', {}, this.title, this.before, this.next, close), this.body);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') this.step(-1);
    if (event.key === 'ArrowRight') this.step(1);
  }

  step(by) {
    const number = this.number + by;
    if (number >= 0 && number < this.rows.length) this.show(this.rows, number);
  }

  /** Shows the row `number` of `rows`; its neighbours can be reached from there. */
  show(rows, number) {
    Object.assign(this, {rows, number});
    const row = rows[number];
    this.title.textContent = rows.length === 1 ? 'The pair' : `Pair ${count(number + 1)} of ${count(rows.length)}`;
    this.before.disabled = number === 0;
    this.next.disabled = number + 1 === rows.length;
    fill(this.body, this.example(row) ?? this.facts(row));
    this.body.scrollTop = 0;
    if (!this.dialog.open) this.dialog.showModal();
  }

  example({b, kind}) {
    const number = kind === 'other' ? 0 : this.data.example[b];
    const article = number > 0 ? document.getElementById(`pair-${number}`) : null;
    if (!article) return null;
    const copy = article.cloneNode(true);
    copy.removeAttribute('id');
    copy.hidden = false;
    copy.querySelectorAll('.copy, .link').forEach((node) => node.remove());
    return copy;
  }

  facts({a, b, kind, similarity, distance}) {
    const side = (label, document) => h('p', {}, h('span', {}, label), ' ', idOf(this.data, document),
        h('small', {dir: 'auto'}, sourceOf(this.data, document)));
    return h('article', {class: 'pair'},
        h('h3', {}, h('b', {class: `badge ${kind === 'exact' ? 'exact' : 'near'}`}, kindWords[kind]), h('span', {}, 'similarity ', h('b', {}, similarityWords(similarity))),
            distance === null || kind === 'exact' ? null : h('span', {}, 'distance ', h('b', {}, String(distance)))),
        h('div', {class: 'ids'}, side(kind === 'other' ? 'one' : 'kept', a), side(kind === 'other' ? 'other' : 'removed', b)),
        h('p', {class: 'x-note'}, `The texts of this pair are not in the page: it holds those of ${count(this.data.numExamples)} pairs, ` +
            'drawn from every tenth of similarity. The filter "with their texts" lists them.'),
        this.command(a, b));
  }

  // Only for ids that are whole here, and that no shell would take for anything else.
  command(a, b) {
    const words = [this.data.ids[a], this.data.ids[b]];
    if (!this.data.explain || !words.every((word) => word.length < 80 && kPlainWord.test(word))) return null;
    return h('p', {class: 'why'}, h('span', {}, 'see them'), ' ', h('code', {}, `${this.data.explain} ${words.join(' ')}`));
  }
}

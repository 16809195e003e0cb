// A pair side by side, in a dialog: the example of the page where it is one, else what is known of it.
import {count} from '../src/format.js';
import {h} from '../src/dom.js';
import {PairDialog} from './dialog.js';
import {commandOf, idOf, kindWords, similarityWords, sourceOf} from './words.js';

export class Comparison extends PairDialog {
  constructor(data) {
    super();
    this.data = data;
  }

  content(row) {
    return this.example(row) ?? this.facts(row);
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

  command(a, b) {
    return this.data.explain ? commandOf('see them', this.data.explain, this.data.ids[a], this.data.ids[b]) : null;
  }
}

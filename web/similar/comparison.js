// Two files side by side, in a dialog, with the passages that they share in matching colours.
import {bytes, count, counted} from '../src/format.js';
import {h} from '../src/dom.js';
import {PairDialog} from '../report/dialog.js';
import {commandOf} from '../report/words.js';
import {kEqual, shareWords} from './data.js';
import {lines, linesOf, segments} from './marks.js';
import {basisWords, nthColour, pairCommand} from './words.js';

const kBlock = 100;  // lines that the browser lays out together, once they are in sight

export class FileComparison extends PairDialog {
  /** `readTexts`: () => {texts, compared} (src/neardup/report/similar_data.cc). */
  constructor(data, readTexts) {
    super();
    Object.assign(this, {data, readTexts});
    this.dialog.classList.add('s-dialog');
  }

  content(pair) {
    const {data} = this;
    const text = data.text[pair] > 0 ? this.readTexts().compared[data.text[pair] - 1] : null;
    this.current = -1;
    this.passages = text?.passages ?? [];
    return [this.head(pair), text ? this.sides(pair, text) : this.without(pair)];
  }

  head(pair) {
    const {data} = this;
    const side = (file, share) => h('p', {}, h('code', {dir: 'auto'}, data.ids[file]), h('small', {}, `${bytes(data.bytes[file])}, ${shareWords(share)} of it in the other`));
    return [h('p', {class: 's-pair-head'}, h('b', {class: `badge ${data.basis[pair] === kEqual ? 'exact' : 'near'}`},
        data.basis[pair] === kEqual ? 'the same bytes' : `${shareWords(data.similarity[pair])}, ${basisWords[data.basis[pair]]}`), this.passageChooser()),
    h('div', {class: 'ids'}, side(data.a[pair], data.aInB[pair]), side(data.b[pair], data.bInA[pair]))];
  }

  passageChooser() {
    this.where = h('output', {class: 'x-where'});
    const button = (label, sign, by) => h('button', {type: 'button', class: 'x-small', 'aria-label': label, disabled: this.passages.length === 0,
      on: {click: () => this.goBy(by)}}, sign);
    return h('span', {class: 's-passages'}, button('Passage before (p)', '‹', -1), this.where, button('Next passage (n)', '›', 1));
  }

  key(key) {
    if (key === 'n') this.goBy(1);
    else if (key === 'p') this.goBy(-1);
    else super.key(key);
  }

  without(pair) {
    const {data} = this;
    const command = pairCommand(data.flags);
    this.where.textContent = 'No texts';
    return h('div', {}, h('p', {class: 'x-note'}, `The texts of this pair are not in the page: it holds those of ${counted(data.text.filter((text) => text > 0).length, 'pair')}, ` +
        'the most similar ones for which there is room.'),
    command && commandOf('see them', command, data.ids[data.a[pair]], data.ids[data.b[pair]]));
  }

  sides(pair, text) {
    const {texts} = this.readTexts();
    this.order = this.passages.map((_, i) => i).sort((x, y) => {
      const [p, q] = [this.passages[x].a, this.passages[y].a];
      return p[0] - q[0] || p[1] - q[1] || x - y;
    });
    this.colours = [];
    this.order.forEach((passage, i) => { this.colours[passage] = nthColour(i); });
    this.panes = {a: this.pane('a', texts[text.a], this.data.a[pair]), b: this.pane('b', texts[text.b], this.data.b[pair])};
    this.say(text);
    return [h('div', {class: 's-sides'}, this.panes.a.element, this.panes.b.element),
      text.more > 0 ? h('p', {class: 'fold'}, `${counted(text.more, 'more passage')}, shorter, not marked for want of room`) : null];
  }

  say(text) {
    const found = this.passages.length;
    this.where.textContent = this.current >= 0 ? this.wordsOf(this.current) : found === 0 ? 'No passage of that length in common' : counted(found + (text?.more ?? 0), 'passage');
  }

  wordsOf(passage) {
    const {a, b} = this.passages[passage];
    const range = ({first, last}) => first === last ? `${count(first)}` : `${count(first)}–${count(last)}`;
    return `Passage ${count(this.order.indexOf(passage) + 1)} of ${count(this.order.length)}: lines ${range(linesOf(this.panes.a.text.parts, a))} and ` +
        `${range(linesOf(this.panes.b.text.parts, b))}, ${bytes(this.passages[passage].bytes)}`;
  }

  // One file: its text, and a strip that shows where in it the passages lie.
  pane(side, text, file) {
    const places = this.passages.map((passage) => passage[side]);
    const blocks = text.parts.flatMap(([firstLine, shown], part) => this.blocksOf(lines(shown, firstLine, segments(places, part, shown.length))));
    const body = h('div', {class: 's-text', tabindex: '0', role: 'region', 'aria-label': `Text of ${this.data.ids[file]}`, dir: 'ltr', lang: '',
      on: {click: (event) => this.click(side, event)}}, this.withGaps(text, blocks));
    return {element: h('div', {class: 's-pane'}, body, this.strip(side, text, places)), body, text};
  }

  // Says what is left out between parts, before and behind them.
  withGaps(text, blocks) {
    let last = 0;
    const gap = (from, to) => from > to ? null : h('p', {class: 'fold'}, from === to ? `line ${count(from)} is not shown` : `lines ${count(from)} to ${count(to)} are not shown`);
    return [...blocks.map(({first, last: end, element}) => {
      const before = first > last + 1 ? gap(last + 1, first - 1) : null;
      last = Math.max(last, end);
      return [before, element];
    }), last < text.lines ? gap(last + 1, text.lines) : null];
  }

  blocksOf(all) {
    const blocks = [];
    for (let first = 0; first < all.length; first += kBlock) {
      const some = all.slice(first, first + kBlock);
      const element = h('div', {class: 's-block', style: `contain-intrinsic-size: auto ${some.length * 19}px`}, some.map((line) => this.line(line)));
      blocks.push({first: some[0].number, last: some.at(-1).number, element});
    }
    return blocks;
  }

  line({number, pieces}) {
    const starts = pieces.flatMap((piece) => piece.starts);
    return h('div', {class: 's-line'}, h('span', {class: 's-number'}, starts.map((passage) => this.label(passage)), String(number)),
        h('span', {class: 's-words'}, pieces.map((piece) => this.piece(piece))));
  }

  label(passage) {
    const number = this.order.indexOf(passage) + 1;
    return h('button', {type: 'button', class: 's-label', style: `--mark: var(${this.colours[passage]})`,
      'aria-label': `Passage ${number}: show it in the other file`, data: {passage}}, String(number));
  }

  piece({text, passages}) {
    if (passages.length === 0) return text;
    return h('mark', {style: `--mark: var(${this.colours[passages[0]]})`, data: {passages: passages.join(' ')}}, text);
  }

  // Its height is the file; lines that are not shown count.
  strip(side, text, places) {
    const most = Math.max(1, text.lines);
    const bars = places.map((numbers, passage) => {
      const {first, last} = linesOf(text.parts, numbers);
      return h('i', {style: `top: ${100 * (first - 1) / most}%; height: ${Math.max(0.6, 100 * (last - first + 1) / most)}%; background: var(${this.colours[passage]})`,
        data: {passage}});
    });
    return h('div', {class: 's-strip', 'aria-hidden': 'true', on: {click: (event) => {
      if (event.target.dataset.passage !== undefined) this.go(Number(event.target.dataset.passage));
    }}}, bars.reverse());
  }

  // A click on a passage shows it on the other side; where several lie above each other, the next one each time.
  click(side, event) {
    const label = event.target.closest('[data-passage]');
    if (label) return this.go(Number(label.dataset.passage), side);
    const mark = event.target.closest('mark');
    if (!mark || !getSelection().isCollapsed) return;
    const passages = mark.dataset.passages.split(' ').map(Number);
    this.go(passages[(passages.indexOf(this.current) + 1) % passages.length], side);
  }

  goBy(by) {
    if (this.order === undefined || this.passages.length === 0) return;
    const at = this.order.indexOf(this.current);
    const next = at < 0 ? (by > 0 ? 0 : this.order.length - 1) : (at + by + this.order.length) % this.order.length;
    this.go(this.order[next]);
  }

  /** Brings a passage into sight on both sides; on that of `from` it is there already, and the other comes level with it. */
  go(passage, from = null) {
    this.current = passage;
    for (const side of ['a', 'b']) {
      for (const mark of this.panes[side].body.querySelectorAll('mark')) {
        const passages = mark.dataset.passages.split(' ').map(Number);
        const isHere = passages.includes(passage);
        mark.classList.toggle('here', isHere);
        mark.style.setProperty('--mark', `var(${this.colours[isHere ? passage : passages[0]]})`);  // one colour on both sides
      }
    }
    if (from === null) {
      this.bring('a', passage, this.panes.a.body.clientHeight / 4);
      from = 'a';
    }
    // Near the beginning of a file a side may stay above the place where the other one is: that one comes then.
    const other = from === 'a' ? 'b' : 'a';
    this.bring(other, passage, this.topOf(from, passage));
    this.bring(from, passage, this.topOf(other, passage));
    this.say();
  }

  labelOf(side, passage) {
    return this.panes[side].body.querySelector(`[data-passage="${passage}"]`);
  }

  topOf(side, passage) {
    return this.labelOf(side, passage).getBoundingClientRect().top - this.panes[side].body.getBoundingClientRect().top;
  }

  // To `top` pixels below the edge, a quarter of the height where that is out of sight. Twice: what comes into sight only gets its
  // real height then.
  bring(side, passage, top) {
    const {body} = this.panes[side];
    const wanted = top < 0 || top > body.clientHeight ? body.clientHeight / 4 : top;
    for (let i = 0; i < 2; ++i) body.scrollTop += this.topOf(side, passage) - wanted;
  }

  show(rows, number) {
    super.show(rows, number);
    if (this.passages.length > 0) this.go(this.order[0]);
    this.current = -1;
    this.say(this.readTexts().compared[this.data.text[rows[number]] - 1]);
  }
}

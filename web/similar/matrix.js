// The most similar files with each other, as a matrix: how much of the file of a row is in that of a column. Groups stand together.
import {h} from '../src/dom.js';
import {colour, onColours} from '../report/colours.js';
import {kWhole} from '../report/data.js';
import {byBothShares, cellsOf, chosen, shareOf} from './choice.js';
import {commonFolder} from './data.js';
import {groupColours, pairSentence, pairWords} from './words.js';

const kLeastCell = 12;
const kMostCell = 26;
const kMostNames = 300;     // pixels
const kMostHeading = 150;
const kFont = '11.5px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

/** The end of a name that fits into `room`: ends tell files apart. */
function fitted(context, name, room) {
  if (context.measureText(name).width <= room) return name;
  const each = context.measureText('m').width;
  return `…${[...name].slice(-Math.max(1, Math.floor(room / each) - 1)).join('')}`;
}

/** Mixes two colours "#rrggbb". */
function mixed(from, to, share) {
  const part = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const parts = [0, 1, 2].map((i) => Math.round(part(from, i) + (part(to, i) - part(from, i)) * share));
  return `rgb(${parts.join(',')})`;
}

export class Matrix {
  /** `onPair` gets the number of a pair that is to be looked at. */
  constructor(data, linked, tip, onPair) {
    Object.assign(this, {data, linked, pairs: byBothShares(data), tip, onPair, at: null, width: 0});
    this.canvas = h('canvas', {role: 'img', tabindex: '0', on: {
      pointermove: (event) => this.point(event), pointerleave: () => this.leave(), click: () => this.open(),
      keydown: (event) => this.key(event), blur: () => this.leave()}});
    this.number = h('select', {'aria-label': 'How many files', on: {change: () => this.update(this.now)}},
        [16, 32, 48, 64, 96].map((value) => h('option', {value, selected: value === 48}, `${value} files`)));
    this.group = h('select', {'aria-label': 'Which files', on: {change: () => this.update(this.now)}},
        h('option', {value: 'all'}, 'that have most in each other'), h('option', {value: 'group'}, 'of the chosen group'));
    this.words = h('p', {class: 'x-note s-words', role: 'status'});
    this.element = h('div', {class: 's-matrix'}, h('p', {class: 'filter x-filter'}, 'At most ', this.number, this.group), this.words,
        h('div', {class: 's-matrix-canvas'}, this.canvas));
    onColours(() => this.draw());
  }

  /** There is another room for it. Only then its width is asked for: that has the browser lay out what has changed. */
  resized() {
    this.width = Math.floor(this.canvas.parentElement.clientWidth);
    this.drawn = null;
    if (this.now) this.update(this.now);
  }

  room() {
    const {width} = this;
    const names = Math.min(kMostNames, width * 0.38);
    return {width, names, most: Math.max(2, Math.floor((width - names) / kLeastCell))};
  }

  /** `now`: {level, groupOf, colourOf, group} (the chosen one). */
  update(now) {
    this.now = now;
    this.leave();
    const {level, groupOf} = now;
    const most = Math.min(Number(this.number.value), this.room().most);
    const group = this.group.value === 'group' ? now.group : null;
    this.files = chosen(this.data, this.linked, this.pairs, {level, most, groupOf, group});
    this.cells = cellsOf(this.data, this.files, level);
    this.folder = commonFolder([...this.files.rows, ...this.files.columns].map((file) => this.data.ids[file]));
    this.describe();
    const {rows, columns} = this.files;
    const drawn = [rows, columns, this.cells, rows.map((file) => now.colourOf[file])].join(';');
    if (drawn === this.drawn) return;  // a move of the slider often changes nothing here
    this.drawn = drawn;
    this.draw();
  }

  describe() {
    const {rows, columns} = this.files;
    this.canvas.hidden = rows.length === 0;
    const what = this.data.hasReferences ? `${rows.length} files and ${columns.length} references` : `${rows.length} files`;
    this.canvas.setAttribute('aria-label', `Matrix of ${what}. Arrow keys go through its cells, Enter opens a pair.`);
    this.words.textContent = rows.length === 0 ? 'No files but copies of each other are left here; the table lists them.'
      : `${what}${this.folder ? ` in ${this.folder}` : ''}. A cell: how much of the file of its row is in that of its column.`;
  }

  draw() {
    const {width, names} = this.room();
    if (!this.files || this.files.rows.length === 0 || width === 0) return;
    const {rows, columns} = this.files;
    const context = this.canvas.getContext('2d');
    context.font = kFont;
    const wide = (files) => Math.max(...files.map((file) => context.measureText(this.nameOf(file)).width)) + 12;
    const left = Math.min(names, wide(rows));
    const top = Math.min(kMostHeading, wide(columns));
    const cell = Math.min(kMostCell, (width - left) / columns.length);
    this.place = {left, top, cell};
    const size = [Math.ceil(left + cell * columns.length) + 1, Math.ceil(top + cell * rows.length) + 1];
    [this.canvas.width, this.canvas.height] = size.map((length) => Math.round(length * devicePixelRatio));
    [this.canvas.style.width, this.canvas.style.height] = size.map((length) => `${length}px`);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    this.drawNames(context);
    this.drawCells(context);
    this.drawGroups(context);
    this.drawCursor(context);
  }

  nameOf(file) {
    return this.data.ids[file].slice(this.folder.length);
  }

  drawNames(context) {
    const {left, top, cell} = this.place;
    context.font = kFont;
    context.textBaseline = 'middle';
    const [ink, soft] = [colour('--ink'), colour('--soft')];
    this.colours = groupColours();
    this.files.rows.forEach((file, i) => {
      context.fillStyle = this.at?.row === i ? ink : soft;
      context.textAlign = 'right';
      context.fillText(fitted(context, this.nameOf(file), left - 12), left - 9, top + cell * (i + 0.5));
      this.swatch(context, file, left - 6, top + cell * i + 1, 3, cell - 2);
    });
    this.files.columns.forEach((file, i) => {
      context.save();
      context.translate(left + cell * (i + 0.5), top - 9);
      context.rotate(-Math.PI / 2);
      context.fillStyle = this.at?.column === i ? ink : soft;
      context.textAlign = 'left';
      context.fillText(fitted(context, this.nameOf(file), top - 12), 0, 0);
      context.restore();
      this.swatch(context, file, left + cell * i + 1, top - 6, cell - 2, 3);
    });
  }

  swatch(context, file, ...box) {
    context.fillStyle = this.colours[this.now.colourOf[file] % this.colours.length];
    context.fillRect(...box);
  }

  drawCells(context) {
    const {left, top, cell} = this.place;
    const {rows, columns} = this.files;
    const [none, full, line] = [colour('--tint'), colour('--heat'), colour('--line')];
    const gap = cell > 8 ? 1 : 0.5;
    for (let row = 0; row < rows.length; ++row) {
      for (let column = 0; column < columns.length; ++column) {
        const pair = this.cells[row * columns.length + column];
        const share = pair < 0 ? 0 : shareOf(this.data, pair, rows[row]) / kWhole;
        context.fillStyle = rows[row] === columns[column] ? line : pair < 0 ? none : mixed(none, full, 0.12 + 0.88 * share);
        context.fillRect(left + cell * column, top + cell * row, cell - gap, cell - gap);
      }
    }
  }

  // A frame around each group, where rows and columns are the same files.
  drawGroups(context) {
    const {left, top, cell} = this.place;
    const {rows} = this.files;
    if (this.data.hasReferences) return;
    context.strokeStyle = colour('--soft');
    context.lineWidth = 1;
    for (let first = 0, i = 1; i <= rows.length; ++i) {
      if (i < rows.length && this.now.groupOf[rows[i]] === this.now.groupOf[rows[first]]) continue;
      context.strokeRect(left + cell * first - 0.5, top + cell * first - 0.5, cell * (i - first), cell * (i - first));
      first = i;
    }
  }

  drawCursor(context) {
    if (!this.at) return;
    const {left, top, cell} = this.place;
    context.strokeStyle = colour('--ink');
    context.lineWidth = 2;
    context.strokeRect(left + cell * this.at.column, top + cell * this.at.row, cell, cell);
  }

  pairAt() {
    return this.at ? this.cells[this.at.row * this.files.columns.length + this.at.column] : -1;
  }

  point(event) {
    if (!this.place) return;
    const box = this.canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - this.place.top) / this.place.cell);
    const column = Math.floor((event.clientX - box.left - this.place.left) / this.place.cell);
    const isIn = row >= 0 && column >= 0 && row < this.files.rows.length && column < this.files.columns.length;
    if (!isIn) return this.leave();
    this.go({row, column}, event);
  }

  go(at, where) {
    if (this.at?.row !== at.row || this.at?.column !== at.column) {
      this.at = at;
      this.draw();
    }
    const pair = this.pairAt();
    this.canvas.style.cursor = pair < 0 ? '' : 'pointer';
    if (pair < 0) this.tip.hide();
    else this.tip.show(where, pairWords(this.data, pair));
    return pair;
  }

  leave() {
    this.tip.hide();
    if (!this.at) return;
    this.at = null;
    this.draw();
  }

  open() {
    if (this.pairAt() >= 0) this.onPair(this.pairAt());
  }

  key(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();  // the button that gets the focus would be pressed, too
      return this.open();
    }
    if (event.key === 'Escape') return this.leave();
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const {rows, columns} = this.files;
    const clamp = (value, most) => Math.min(Math.max(0, value), most - 1);
    const from = this.at ?? {row: 0, column: 0};
    const at = {row: clamp(from.row + step[0], rows.length), column: clamp(from.column + step[1], columns.length)};
    const box = this.canvas.getBoundingClientRect();
    const {left, top, cell} = this.place;
    const pair = this.go(at, {clientX: box.left + left + cell * (at.column + 1), clientY: box.top + top + cell * (at.row + 1)});
    this.words.textContent = pair < 0 ? `${this.nameOf(rows[at.row])} and ${this.nameOf(columns[at.column])}: no pair` : pairSentence(this.data, pair);
  }
}

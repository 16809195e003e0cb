// What was found by its similarity, and the threshold in it: a slider below, a line that can be drawn, a field for the number.
import uPlot from 'uplot';
import {counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {colour} from './colours.js';

const kHeight = 190;
const kThumb = 22;  // pixels, as in report.css

const ofRun = {noun: 'near-duplicate', title: 'Near-duplicates by their similarity to the kept document'};

function axis(more) {
  return {stroke: () => colour('--soft'), grid: {stroke: () => colour('--line'), width: 1}, ticks: {show: false},
    font: '12px system-ui, sans-serif', ...more};
}

function shortCount(number) {
  if (number === null || number === undefined || !Number.isFinite(number)) return '';
  return number < 1000 ? String(number) : number < 1e6 ? `${+(number / 1000).toPrecision(3)}k` : `${+(number / 1e6).toPrecision(3)}M`;
}

const wholeSteps = [1, 2, 5].flatMap((digit) => Array.from({length: 12}, (_, i) => digit * 10 ** i)).sort((a, b) => a - b);

export class Histogram {
  /**
   * `counts`: what there is of each hundredth of similarity from `lowest` on; `onMove` gets the chosen hundredth. `words`: what is
   * counted, "near-duplicate", and the title.
   */
  constructor(counts, lowest, onMove, words = ofRun) {
    Object.assign(this, {counts, lowest, onMove, words, step: lowest});
    this.isSteep = Math.max(...counts) > 40 * Math.max(1, median(counts.filter((count) => count > 0)));
    this.box = h('div', {class: 'x-plot', role: 'img'});
    this.slider = h('input', {type: 'range', id: 'x-threshold', min: lowest, max: 100, step: 1, value: lowest,
      on: {input: () => this.move(Number(this.slider.value))}});
    this.field = h('input', {type: 'number', class: 'x-number', 'aria-label': 'Threshold as a number', min: lowest / 100, max: 1,
      step: 0.01, value: (lowest / 100).toFixed(2), on: {change: () => this.typed()}});
    this.scale = h('button', {type: 'button', class: 'x-small', 'aria-pressed': String(this.isSteep),
      on: {click: () => this.toggleScale()}}, 'Logarithmic');
    this.reset = h('button', {type: 'button', class: 'x-small', on: {click: () => this.move(lowest)}}, 'As in the run');
    this.element = h('figure', {class: 'x-histogram'},
        h('figcaption', {}, words.title, this.scale),
        this.box,
        h('div', {class: 'x-slider'}, this.slider),
        h('p', {class: 'x-choice'}, h('label', {for: 'x-threshold'}, 'Threshold'), this.field, this.reset));
  }

  typed() {
    const value = Math.round(Number(this.field.value) * 100);
    this.move(Number.isFinite(value) ? value : this.lowest);
  }

  move(step) {
    step = Math.min(100, Math.max(this.lowest, step));
    if (step !== this.step) {
      this.step = step;
      this.onMove(step);
    }
    this.show();
  }

  /** Says `words` of the figures at the threshold to whoever hears the slider. */
  say(words) {
    this.slider.setAttribute('aria-valuetext', `${(this.step / 100).toFixed(2)}: ${words}`);
    this.box.setAttribute('aria-label', `${this.words.title}, from ${this.lowest / 100} to 1; ${words}`);
  }

  show() {
    this.slider.value = this.step;
    this.field.value = (this.step / 100).toFixed(2);
    this.reset.disabled = this.step === this.lowest;
    this.plot?.setData(this.data());
  }

  // Places, those that count, those that are undone.
  data() {
    const places = this.counts.map((_, i) => (this.lowest + i) / 100);
    const part = (takes) => this.counts.map((count, i) => takes(this.lowest + i) && count > 0 ? count : null);
    return [places, part((step) => step >= this.step), part((step) => step < this.step)];
  }

  toggleScale() {
    this.isSteep = !this.isSteep;
    this.scale.setAttribute('aria-pressed', String(this.isSteep));
    this.plot?.destroy();
    this.plot = null;
    this.draw();
  }

  options(width) {
    const most = Math.max(1, ...this.counts);
    const bars = (name) => ({width: 0, points: {show: false}, fill: () => colour(name),
      paths: uPlot.paths.bars({size: [0.82, 60], align: 1, radius: 0.12})});
    return {
      width, height: kHeight, legend: {show: false}, padding: [10, 12, 0, 0],
      cursor: {drag: {x: false, y: false}, points: {show: false}, y: false},
      scales: {
        x: {time: false, range: [this.lowest / 100, 1.01]},
        y: this.isSteep ? {distr: 3, range: [0.6, most * 1.5]} : {range: [0, most * 1.08]},
      },
      axes: [
        axis({size: 26, space: 44, incrs: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5], values: (plot, values) => values.map((value) => value > 1 ? '' : String(+value.toFixed(2)))}),
        axis({size: 52, values: (plot, values) => values.map(shortCount),
          ...(this.isSteep ? {} : {incrs: wholeSteps, space: 34})}),
      ],
      series: [{}, bars('--near'), bars('--undone')],
      hooks: {draw: [(plot) => this.drawLine(plot)], setCursor: [(plot) => this.name(plot)], ready: [(plot) => this.takeHold(plot)]},
    };
  }

  drawLine(plot) {
    const at = Math.round(plot.valToPos(this.step / 100, 'x', true));
    const {top, height} = plot.bbox;
    plot.ctx.save();
    plot.ctx.strokeStyle = colour('--ink');
    plot.ctx.lineWidth = 2 * devicePixelRatio;
    plot.ctx.beginPath();
    plot.ctx.moveTo(at, top);
    plot.ctx.lineTo(at, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }

  name(plot) {
    const i = plot.cursor.left >= 0 ? Math.floor(plot.posToVal(plot.cursor.left, 'x') * 100 + 1e-6) - this.lowest : -1;
    this.box.title = this.counts[i] === undefined ? ''
      : `${((this.lowest + i) / 100).toFixed(2)}: ${counted(this.counts[i], this.words.noun)}`;
  }

  // The line follows a pointer that is pressed in the plot.
  takeHold(plot) {
    const follow = (event) => {
      const left = event.clientX - plot.over.getBoundingClientRect().left;
      this.move(Math.round(plot.posToVal(left, 'x') * 100));
    };
    plot.over.addEventListener('pointerdown', (event) => {
      plot.over.setPointerCapture(event.pointerId);
      follow(event);
    });
    plot.over.addEventListener('pointermove', (event) => {
      if (plot.over.hasPointerCapture(event.pointerId)) follow(event);
    });
  }

  /** Draws it as wide as there is room; again where width or colours have changed. */
  draw() {
    const width = Math.floor(this.box.clientWidth);
    if (width === 0) return;
    if (!this.plot) {
      fill(this.box);
      this.plot = new uPlot(this.options(width), this.data(), this.box);
    } else if (this.plot.width !== width) {
      this.plot.setSize({width, height: kHeight});
    } else {
      this.plot.redraw(true, true);
    }
    this.alignSlider();
    this.show();
  }

  // The middle of the thumb stands below the line.
  alignSlider() {
    const {over} = this.plot;
    const right = this.plot.valToPos(1, 'x');
    const holder = this.slider.parentElement;
    holder.style.marginInlineStart = `${over.offsetLeft - kThumb / 2}px`;
    holder.style.width = `${right + kThumb}px`;
  }
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

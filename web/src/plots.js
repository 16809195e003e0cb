// A plot of figures over time: uPlot in the colours of the page.
import uPlot from 'uplot';
import {h} from './dom.js';

const colours = ['--kept', '--near', '--exact'];
const dashes = [[], [6, 4], [2, 3]];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(more) {
  return {stroke: () => colour('--soft'), grid: {stroke: () => colour('--line'), width: 1}, ticks: {show: false},
    font: '12px system-ui, sans-serif', ...more};
}

const clock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const timeAxis = () => axis({values: (plot, times) => times.map((seconds) => clock.format(seconds * 1000)), size: 26, space: 80,
  incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]});
const wholeSteps = [1, 2, 5].flatMap((digit) => Array.from({length: 12}, (_, i) => digit * 10 ** i)).sort((a, b) => a - b);

/** What lies between 0 and a bit above the highest value; a line that stands still gets room, too. */
function range(plot, low, high) {
  return [0, high > 0 ? high * 1.1 : 1];
}

export class Plot {
  /** `series`: [{name, label}] of a History; `format`: number -> words; `whole`: there are no halves of what is counted. */
  constructor(title, series, format, scaleRange = range, whole = false) {
    Object.assign(this, {title, series, format, scaleRange, whole});
    this.values = series.map(() => h('b', {class: 'num'}, '–'));
    this.box = h('div', {class: 'plot', role: 'img', 'aria-label': title});
    const names = ['', 'second', 'third'];
    this.element = h('figure', {}, h('figcaption', {}, title),
        h('p', {class: 'legend'}, series.map(({label}, i) => h('span', {class: names[i]}, h('i', {}), `${label} `, this.values[i]))),
        this.box);
  }

  options(width) {
    return {
      width, height: 200, legend: {show: false}, cursor: {drag: {x: false, y: false}, points: {size: 6}},
      scales: {y: {range: this.scaleRange}},
      axes: [timeAxis(), axis({
        values: (plot, values) => values.map(this.format), size: 70, ...(this.whole ? {incrs: wholeSteps} : {}),
      })],
      series: [{}, ...this.series.map(({label}, i) => ({
        label, stroke: () => colour(colours[i]), width: 2, dash: dashes[i], points: {show: false}, spanGaps: true,
      }))],
    };
  }

  /** Draws what `history` holds. */
  update(history) {
    const data = [history.times, ...this.series.map(({name}) => history[name])];
    const width = Math.floor(this.box.clientWidth);
    if (width === 0) return;
    if (!this.plot) this.plot = new uPlot(this.options(width), data, this.box);
    else this.plot.setData(data);
    if (this.plot.width !== width) this.plot.setSize({width, height: 200});
    const words = this.series.map(({name, label}, i) => {
      const value = history.latest(name);
      this.values[i].textContent = value === null ? '–' : this.format(value);
      return `${label} ${this.values[i].textContent}`;
    });
    this.box.setAttribute('aria-label', `${this.title}, now: ${words.join(', ')}`);
  }

  /** Draws anew: the colours or the width have changed. */
  redraw() {
    this.plot?.redraw(false, true);
  }

  destroy() {
    this.plot?.destroy();
    this.plot = null;
  }
}

// The server's figures, live.
import {announce, fill, h, loading} from './dom.js';
import {bytes, count, duration, microseconds, short} from './format.js';
import {Plot} from './plots.js';
import {problem} from './problem.js';
import {onPulse, pause, pulse} from './pulse.js';

/** The number of documents hardly moves: what matters is by how much. */
function documentsRange(plot, low, high) {
  if (low === null || high === null) return [0, 1];
  const room = Math.max(1, (high - low) * 0.1);
  return [Math.max(0, low - room), high + room];
}

function plots() {
  return [
    new Plot('Documents', [{name: 'documents', label: 'stored'}], (value) => count(value), documentsRange, true),
    new Plot('Rate, per second', [{name: 'checked', label: 'checked'}, {name: 'queried', label: 'queried'}, {name: 'requests', label: 'requests'}], short),
    new Plot('Latency of requests', [{name: 'p50', label: 'half'}, {name: 'p90', label: '90 %'}, {name: 'p99', label: '99 %'}],
        (value) => microseconds(value * 1000)),
    new Plot('Memory', [{name: 'process', label: 'process'}, {name: 'store', label: 'store'}], bytes),
  ];
}

function tile(label, value, detail = '', kind = '') {
  return h('div', {class: `tile ${kind}`}, h('dt', {}, label), h('dd', {}, value, detail ? h('small', {}, detail) : null));
}

function tiles({stats, history}) {
  const {verdicts, latency_us: latency, queue} = stats;
  const rate = history.latest('requests');
  const p99 = latency?.p99;
  return [
    tile('Documents', count(stats.documents), `up ${duration(stats.uptime_seconds)}`, 'kept'),
    tile('Checked', count(stats.checked), `${count(verdicts.new)} new`),
    tile('Duplicates', count(verdicts.exact + verdicts.near + verdicts.contained),
        `${count(verdicts.near)} near, ${count(verdicts.exact)} equal${verdicts.contained > 0 ? `, ${count(verdicts.contained)} contained` : ''}`, 'near'),
    tile('Requests', rate === null ? '–' : `${short(rate)}/s`, `${count(stats.errors)} errors, ${count(stats.refused)} refused`),
    tile('Latency, 99 %', p99 === undefined || p99 === null ? '–' : microseconds(p99), `last ${latency?.window_seconds ?? '?'} s`),
    tile('Memory', bytes(stats.process_memory_bytes), `${count(queue.waiting)} of ${count(queue.limit)} wait`),
  ];
}

function facts({stats}) {
  const {settings} = stats;
  const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));
  return [
    fact('Recipe', h('code', {}, stats.recipe)), fact('Family', settings.family), fact('Records', settings.records),
    fact('Texts', settings.keep_texts ? 'kept' : 'not kept'), fact('Log', bytes(stats.log_bytes)),
    fact('Connections', count(stats.connections)), fact('Version', stats.version),
  ];
}

/** Returns the view. Until `signal` says that it is left, it shows each answer of the server. */
export function figuresView(signal) {
  const all = plots();
  const trouble = h('div', {}, loading('Loading figures'));
  const top = h('dl', {class: 'tiles'});
  const more = h('dl', {class: 'facts'});
  const button = h('button', {type: 'button', class: 'small', 'aria-pressed': String(pulse.paused), on: {click: () => {
    pause(!pulse.paused);
    button.setAttribute('aria-pressed', String(pulse.paused));
    announce(pulse.paused ? 'The figures stand still.' : 'The figures are live.');
  }}}, 'Hold still');
  const details = h('section', {hidden: true}, h('h2', {}, 'Settings'), more);
  const plotted = h('section', {hidden: true, 'aria-label': 'Plots'}, h('div', {class: 'plots'}, all.map((plot) => plot.element)));
  let told = null;
  const update = () => {
    if (pulse.stats) {
      fill(top, tiles(pulse));
      fill(more, facts(pulse));
      details.hidden = plotted.hidden = false;
      all.forEach((plot) => plot.update(pulse.history));
    }
    if (pulse.error && told !== pulse.error.code) fill(trouble, problem(pulse.error));
    else if (!pulse.error && pulse.stats) fill(trouble);
    told = pulse.error?.code ?? null;
  };
  const stop = onPulse(update);
  const redraw = () => all.forEach((plot) => plot.redraw());
  addEventListener('neardup-theme', redraw);
  const resized = new ResizeObserver(() => update());
  resized.observe(plotted);
  signal.addEventListener('abort', () => {
    stop();
    removeEventListener('neardup-theme', redraw);
    resized.disconnect();
    all.forEach((plot) => plot.destroy());
  });
  setTimeout(update);
  return h('div', {}, h('section', {}, h('h1', {tabindex: '-1'}, 'Figures'), trouble, top, h('div', {class: 'row'}, button)), plotted, details);
}

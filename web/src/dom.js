// Elements without markup: what documents say only ever becomes text.

/**
 * Returns a new element. `props`: `class`, `on` ({event: listener}), `data` ({name: value}); booleans switch an
 * attribute, null and undefined leave it out; other values are attributes. `children`: nodes, texts, lists of them;
 * null, undefined and false are passed over.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === 'data') {
      Object.assign(element.dataset, value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Puts `children` in the place of what `element` holds. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

const svgSpace = 'http://www.w3.org/2000/svg';

/** Returns a bar that is filled by `share` (0 to 1). It repeats a number that stands beside it. */
export function meter(share) {
  const svg = document.createElementNS(svgSpace, 'svg');
  const attributes = (node, values) => Object.entries(values).forEach(([name, value]) => node.setAttribute(name, value));
  attributes(svg, {class: 'meter', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true'});
  for (const [width, name] of [[100, 'ground'], [Math.max(0, Math.min(1, share)) * 100, 'value']]) {
    const rect = document.createElementNS(svgSpace, 'rect');
    attributes(rect, {width, height: 8, rx: 4, class: name});
    svg.append(rect);
  }
  return svg;
}

/** Has a screen reader say `text`: politely, or at once where it is an `alarm`. */
export function announce(text, alarm = false) {
  const region = document.getElementById(alarm ? 'alert' : 'status');
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);  // the same words twice are said twice
}

/** Returns the address, within the page, of the document of this id. */
export function documentLink(id) {
  return '#/documents/' + encodeURIComponent(id);
}

/** Returns a link to a document. */
export function idLink(id) {
  return h('a', {href: documentLink(id), class: 'id'}, shown(id));
}

/** Returns what an id looks like: an empty or a blank one would be nothing to press. */
export function shown(id) {
  return String(id).trim() === '' ? `"${id}"` : String(id);
}

/** What is there while an answer is on its way. */
export function loading(words = 'Loading') {
  return h('div', {class: 'loading', 'aria-label': words, role: 'img'}, h('i'), h('i'), h('i'));
}

/** What is there where there is nothing. */
export function nothing(head, ...words) {
  return h('div', {class: 'nothing'}, h('p', {}, h('b', {}, head), ...words));
}

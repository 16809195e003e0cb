// The page: which view is shown, and what is there on all of them.
import {askView} from './ask.js';
import {clustersView} from './clusters.js';
import {documentView} from './document.js';
import {figuresView} from './figures.js';
import {askForKey} from './key.js';
import {startPulse} from './pulse.js';
import {routeOf, titles} from './route.js';
import {startShortcuts} from './shortcuts.js';
import {tagsView} from './tags.js';

const views = {
  ask: () => askView(),
  documents: (id, signal) => documentView(id, signal),
  clusters: (id, signal) => clustersView(signal),
  tags: (id, signal) => tagsView(signal),
  figures: (id, signal) => figuresView(signal),
};

let left = null;  // ends what the view before still asks and listens to

function show(focus) {
  left?.abort();
  left = new AbortController();
  const {view, id} = routeOf(location.hash);
  document.title = `${id ?? titles[view]} – neardup`;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const main = document.getElementById('main');
  main.replaceChildren(views[view](id, left.signal));
  if (!focus) return;
  scrollTo(0, 0);
  main.querySelector('h1').focus({preventScroll: true});
}

function start() {
  const skip = document.querySelector('.skip');
  skip.addEventListener('click', (event) => {  // its address is no view
    event.preventDefault();
    document.getElementById('main').focus();
  });
  document.getElementById('key-button').addEventListener('click', () => askForKey(() => show(false)));
  addEventListener('hashchange', () => show(true));
  startShortcuts();
  startPulse();
  show(false);
}

start();

// Tags: crawls that are open or committed.
import {request} from './api.js';
import {confirmed} from './dialogs.js';
import {announce, fill, h, loading, nothing, shown} from './dom.js';
import {count, counted} from './format.js';
import {attempt} from './problem.js';

const kPage = 50;

const done = {
  commit: (tag) => `${tag} is committed: its documents count for all.`,
  cancel: (tag) => `${tag} is cancelled: its documents are erased.`,
  delete: (tag, answer) => `${counted(answer.deleted ?? 0, 'document')} of ${tag} erased.`,
  begin: (tag) => `${tag} is open.`,
};

const questions = {
  cancel: ['Cancel this tag?', 'is open: all its documents are erased, as if the crawl had not been.', 'Cancel the tag'],
  delete: ['Delete the documents of this tag?', 'All documents that came with it are erased.', 'Delete'],
};

class Tags {
  constructor(signal) {
    this.signal = signal;
    this.place = h('div', {});
    this.said = h('div', {});
    this.page = 0;
  }

  async load() {
    if (this.place.childElementCount === 0) fill(this.place, loading('Loading tags'));
    await attempt(this.place, async () => {
      this.answer = await request('GET', '/v1/tags', undefined, this.signal);
      this.show();
    }, () => this.load());
  }

  async act(action, tag) {
    const question = questions[action];
    if (question && !await confirmed(question[0], `${tag}: ${question[1]}`, question[2])) return;
    const path = '/v1/tags/' + encodeURIComponent(tag);
    await attempt(this.said, async () => {
      const answer = await (action === 'delete' ? request('DELETE', path) : request('POST', `${path}/${action}`));
      const words = done[action](tag, answer);
      fill(this.said, h('p', {class: 'note'}, words));
      announce(words);
      await this.load();
      this.place.querySelector('h2')?.focus();
    });
  }

  row({tag, state, documents}) {
    const button = (action, words, name) => h('button', {type: 'button', class: name, on: {click: () => this.act(action, tag)}},
        words, h('span', {class: 'unseen'}, ` ${tag}`));
    return h('tr', {}, h('td', {}, h('b', {dir: 'auto'}, shown(tag))), h('td', {}, h('span', {class: `badge ${state}`}, state)),
        h('td', {class: 'num'}, documents === undefined ? '–' : counted(documents, 'document')),
        h('td', {}, h('div', {class: 'row'},
            state === 'open' ? [button('commit', 'Commit', 'small'), button('cancel', 'Cancel', 'small danger')] :
                               button('delete', 'Delete documents', 'small danger'))));
  }

  show() {
    const {tags} = this.answer;
    if (tags.length === 0) {
      return fill(this.place, nothing('No tags yet', 'A tag stands for a crawl: begun, its documents count for others once it is committed.'));
    }
    const pages = Math.ceil(tags.length / kPage);
    this.page = Math.min(this.page, pages - 1);
    const turn = (by, words) => h('button', {type: 'button', on: {click: () => {
      this.page += by;
      this.show();
      this.place.querySelector('h2').focus();
    }}}, words);
    return fill(this.place,
        h('h2', {tabindex: '-1'}, counted(tags.length, 'tag'), pages > 1 ? `, page ${count(this.page + 1)} of ${count(pages)}` : null),
        this.answer.truncated ? h('p', {class: 'note'}, 'The server has more tags than it lists.') : null,
        h('table', {class: 'stack'},
            h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Tag'), h('th', {scope: 'col'}, 'State'), h('th', {scope: 'col'}, 'Documents'), h('th', {scope: 'col'}, h('span', {class: 'unseen'}, 'Actions')))),
            h('tbody', {}, tags.slice(this.page * kPage, (this.page + 1) * kPage).map((each) => this.row(each)))),
        h('div', {class: 'row'}, this.page > 0 ? turn(-1, 'Previous page') : null, this.page + 1 < pages ? turn(1, 'Next page') : null));
  }

  form() {
    const input = h('input', {id: 'new-tag', required: true, autocomplete: 'off', spellcheck: 'false'});
    return h('form', {on: {submit: async (event) => {
      event.preventDefault();
      await this.act('begin', input.value.trim());
      input.value = '';
    }}}, h('div', {class: 'row end'}, h('div', {class: 'field'}, h('label', {for: 'new-tag'}, 'New tag'), input), h('button', {}, 'Begin')));
  }
}

/** Returns the view. */
export function tagsView(signal) {
  const tags = new Tags(signal);
  tags.load();
  return h('div', {}, h('section', {}, h('h1', {tabindex: '-1'}, 'Tags'),
      h('p', {class: 'lead'}, 'Crawls. The documents of an open tag count for others once it is committed; cancelled, it leaves nothing.'),
      tags.said, tags.place, tags.form()));
}

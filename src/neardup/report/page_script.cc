#include "neardup/report/page.h"

namespace neardup::report {

// Adds to the page only what needs a script: headings that sort, and a filter for the examples.
std::string_view page_script() {
  return R"js('use strict';
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    return 'value' in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim();
  };
  const compare = (a, b) => typeof a === 'number' ? a - b : a.localeCompare(b, undefined, {numeric: true});
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const first = column === 0 ? 'ascending' : 'descending';
        const other = column === 0 ? 'descending' : 'ascending';
        const order = head.getAttribute('aria-sort') === first ? other : first;
        const sign = order === 'ascending' ? 1 : -1;
        heads.forEach((each) => each.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', order);
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
        table.tBodies[0].append(...rows);
      });
    });
  }
  for (const line of document.querySelectorAll('.why')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'copy';
    button.addEventListener('click', async () => {
      const code = line.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'copied';
      } catch {
        getSelection().selectAllChildren(code);
      }
    });
    line.append(button);
  }
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.textContent);
    if (!isNaN(at)) time.textContent = at.toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'short'});
  }
  // In a frame of a notebook an address within the page would be one of the notebook.
  if (location.protocol === 'about:') {
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      document.getElementById(link.getAttribute('href').slice(1))?.scrollIntoView();
    });
  }
  const box = document.querySelector('.filter');
  if (!box) return;
  const pairs = [...document.querySelectorAll('article.pair')];
  const clusters = [...document.querySelectorAll('.clusters > li')];
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Filter by id or word';
  input.setAttribute('aria-label', 'Filter examples and clusters by id or word');
  const select = document.createElement('select');
  select.setAttribute('aria-label', 'Kind of duplicate');
  for (const [kind, label] of [['', 'all kinds'], ['near', 'near-duplicates'], ['exact', 'equal texts']]) {
    select.append(new Option(label, kind));
  }
  const shown = document.createElement('output');
  const update = () => {
    const wanted = input.value.trim().toLowerCase();
    let count = 0;
    for (const pair of pairs) {
      pair.hidden = (select.value !== '' && pair.dataset.kind !== select.value) ||
          !pair.textContent.toLowerCase().includes(wanted);
      count += pair.hidden ? 0 : 1;
      if (wanted !== '' && !pair.hidden && pair.closest('details')) pair.closest('details').open = true;
    }
    let groups = 0;
    for (const cluster of clusters) {
      cluster.hidden = !cluster.textContent.toLowerCase().includes(wanted);
      groups += cluster.hidden ? 0 : 1;
      if (wanted !== '' && !cluster.hidden && cluster.closest('details')) cluster.closest('details').open = true;
    }
    shown.textContent = count + ' of ' + pairs.length + ' examples, ' + groups + ' of ' + clusters.length + ' clusters';
  };
  input.addEventListener('input', update);
  select.addEventListener('change', update);
  box.append(input, select, shown);
  box.hidden = false;
  update();
})();
)js";
}

}  // namespace neardup::report

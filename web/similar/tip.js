// Words beside the pointer.
import {fill, h} from '../src/dom.js';

export class Tip {
  constructor() {
    this.element = h('div', {class: 's-tip', hidden: true});
  }

  /** Shows `words` beside a point of the window. */
  show({clientX, clientY}, ...words) {
    fill(this.element, words);
    this.element.hidden = false;
    const {offsetWidth: width, offsetHeight: height} = this.element;
    const left = clientX + 16 + width > innerWidth ? clientX - width - 12 : clientX + 16;
    const top = clientY + 16 + height > innerHeight ? clientY - height - 12 : clientY + 16;
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

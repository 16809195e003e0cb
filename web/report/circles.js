// Circles of what belongs together, on a canvas: one is chosen, all or that one are looked at. What is in them is drawn by
// those who extend it.
import {h} from '../src/dom.js';
import {colour, onColours} from './colours.js';

const kLeastRadius = 14;  // of what is looked at: a few are not drawn as large as the room

export class Circles {
  /** `layout`: {clusters, bounds} of layout.js. */
  constructor(layout) {
    Object.assign(this, {layout, chosen: 0, isNear: false, width: 0});
    this.canvas = h('canvas', {role: 'img', tabindex: '-1', on: {
      pointermove: (event) => this.hover(this.at(event), event), pointerleave: () => this.hover(null), click: (event) => this.click(event)}});
    this.near = h('button', {type: 'button', class: 'x-small', 'aria-pressed': 'false', on: {click: () => this.zoom(!this.isNear)}}, 'Zoom in');
    onColours(() => this.draw());
  }

  choose(number) {
    this.chosen = number;
    this.draw();
    this.describe();
  }

  /** The one before or after the chosen one. */
  step(by) {
    const {length} = this.layout.clusters;
    this.choose((this.chosen + by + length) % length);
  }

  zoom(isNear) {
    this.isNear = isNear;
    this.near.setAttribute('aria-pressed', String(isNear));
    this.draw();
  }

  // The circle that is looked at.
  view() {
    const cluster = this.layout.clusters[this.chosen];
    return this.isNear ? {x: cluster.x, y: cluster.y, r: Math.max(cluster.r, kLeastRadius / 2)} : {...this.layout.bounds, r: Math.max(this.layout.bounds.r, kLeastRadius)};
  }

  /** There is another room for it. Only then its width is asked for: that has the browser lay out what has changed. */
  resized() {
    this.width = Math.floor(this.canvas.parentElement.clientWidth);
    this.draw();
  }

  measure() {
    const size = this.width;
    const ratio = devicePixelRatio;
    if (this.canvas.width !== Math.round(size * ratio)) {
      this.canvas.width = this.canvas.height = Math.round(size * ratio);
      this.canvas.style.height = `${size}px`;
    }
    const {x, y, r} = this.view();
    const scale = size / 2 / r * 0.98;
    return {size, ratio, scale, x: size / 2 - x * scale, y: size / 2 - y * scale};
  }

  /** Draws it: the ground, and what is in it by paint(context). */
  draw() {
    if (!this.now || this.width === 0) return;
    const place = this.place = this.measure();
    const context = this.canvas.getContext('2d');
    context.setTransform(place.ratio, 0, 0, place.ratio, 0, 0);
    context.clearRect(0, 0, place.size, place.size);
    context.translate(place.x, place.y);
    context.scale(place.scale, place.scale);
    this.drawGround(context);
    this.paint(context);
  }

  drawGround(context) {
    const {clusters} = this.layout;
    context.fillStyle = colour('--tint');
    clusters.forEach(({x, y, r}) => {
      context.beginPath();
      context.arc(x, y, Math.max(0.5, r - 0.5), 0, 2 * Math.PI);
      context.fill();
    });
    const {x, y, r} = clusters[this.chosen];
    context.strokeStyle = colour('--link');
    context.lineWidth = 2 / this.place.scale;
    context.beginPath();
    context.arc(x, y, Math.max(0.5, r - 0.5), 0, 2 * Math.PI);
    context.stroke();
  }

  // The circle, and the node in it, at a point of the screen: {number, node}, x and y in their units.
  at(event) {
    if (!this.place) return null;
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - this.place.x) / this.place.scale;
    const y = (event.clientY - box.top - this.place.y) / this.place.scale;
    const number = this.layout.clusters.findIndex((cluster) => Math.hypot(cluster.x - x, cluster.y - y) <= cluster.r);
    if (number < 0) return null;
    const far = (node) => Math.hypot(node.x - x, node.y - y);
    const nearest = this.layout.clusters[number].nodes.reduce((best, node) => far(node) < far(best) ? node : best);
    return {number, node: far(nearest) < Math.max(1, 6 / this.place.scale) ? nearest : null, x, y};
  }
}

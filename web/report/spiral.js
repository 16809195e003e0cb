// The spiral of a sunflower: points that fill a circle evenly.

const kGolden = Math.PI * (3 - Math.sqrt(5));

/** Returns {x, y} of point number `i`, which is so far from the middle. */
export function onSpiral(i, distance) {
  return {x: distance * Math.cos(i * kGolden), y: distance * Math.sin(i * kGolden)};
}

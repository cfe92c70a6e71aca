// The teeth of gears.

/**
 * The outline of a wheel with teeth: radii at equal angles, the first tooth's middle at angle 0. Flanks are straight
 * between tip and root, a tenth of the module short of their mates.
 */
export function toothOutline(radius: number, teeth: number, inside = false): [number, number][] {
  const module = (2 * radius) / teeth;
  const [tip, root] = inside ? [radius - module, radius + 1.2 * module] : [radius + module, radius - 1.2 * module];
  const outline: [number, number][] = [];
  const pitch = (2 * Math.PI) / teeth;
  for (let i = 0; i < teeth; ++i) {
    for (const [part, r] of [[-0.3, root], [-0.12, tip], [0.12, tip], [0.3, root]] as const) {
      const angle = (i + part) * pitch;
      outline.push([r * Math.cos(angle), r * Math.sin(angle)]);
    }
  }
  return outline;
}

/** Whole numbers of teeth in the wheels' ratio, as nearly as numbers below 100 can be; at least 14 on the smaller. */
export function teethOf(ratio: number): [number, number] {
  let best: [number, number] = [14, 14];
  let error = Infinity;
  const small = Math.min(ratio, 1 / ratio);
  for (let few = 14; few <= 40; ++few) {
    const many = Math.round(few / small);
    const off = Math.abs(few / many / small - 1);
    if (off < error - 1e-9) {
      error = off;
      best = ratio > 1 ? [many, few] : [few, many];
    }
  }
  return best;
}

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

// Texts over a scene in space: names, and the numbers of the grid.
import type { PerspectiveCamera } from "three";
import { element } from "./dom";
import { toVector } from "./solids3d";
import type { Vec } from "./vec";

export interface Label {
  text: string;
  place: Vec;
  kind: "name" | "tick";
}

export class Labels3d {
  private readonly box = element("div", { class: "labels", "aria-hidden": "true" });
  private readonly spans: HTMLElement[] = [];

  constructor(frame: HTMLElement) {
    frame.append(this.box);
  }

  draw(labels: Label[], camera: PerspectiveCamera, width: number, height: number): void {
    while (this.spans.length < labels.length) {
      const span = element("span");
      this.box.append(span);
      this.spans.push(span);
    }
    const taken: [number, number, number][] = [];
    this.spans.forEach((span, i) => {
      const label = labels[i];
      const seen = label && toVector(label.place).project(camera);
      const [x, y] = seen ? [(width * (seen.x + 1)) / 2, (height * (1 - seen.y)) / 2] : [0, 0];
      const room = label ? 4 * label.text.length : 0;
      // one that would stand on another, or outside, is left out
      span.hidden = !seen || seen.z > 1 || x < 0 || y < 0 || x > width || y > height ||
        taken.some(([a, b, other]) => Math.abs(a - x) < room + other && Math.abs(b - y) < 13);
      if (!label || span.hidden) return;
      taken.push([x, y, room]);
      span.textContent = label.text;
      span.className = label.kind;
      span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -130%)`;
    });
  }
}

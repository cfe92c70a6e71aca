// A canvas that is painted anew when its size, the colours or what it shows change; and what a hand does on it.
import { element, onResize, penOf } from "../dom";
import { Nearness, soon } from "../lazy";
import { onTheme } from "../theme";

export type Pen = CanvasRenderingContext2D;
export interface Spot {
  x: number;
  y: number;
}

export interface Gestures {
  /** What is under the pointer, in words; none: nothing. */
  tell: (at: Spot) => string | undefined;
  click?: (at: Spot) => void;
  /** While something is dragged over, and at its end. */
  drag?: (from: Spot, to: Spot) => void;
  doubleClick?: () => void;
  key?: (event: KeyboardEvent) => boolean;
}

export class Picture {
  readonly canvas: HTMLCanvasElement;
  readonly box: HTMLElement;
  private readonly tip = element("div", { class: "tip", hidden: true });
  private readonly near: Nearness;
  private width = 0;
  private due = true;  // to be painted when it comes near

  constructor(name: string, private readonly height: (width: number) => number,
    private readonly paint: (pen: Pen, width: number, height: number) => void) {
    this.canvas = element("canvas", { role: "img", "aria-label": name });
    this.box = element("div", { class: "picture" }, this.canvas, this.tip);
    this.near = new Nearness(this.box, () => { if (this.due) this.paintNow(); });
    onResize(this.box, (width) => {
      this.width = width;
      this.due = true;
      soon(() => { if (this.due) this.paintNow(); });
    });
    onTheme(() => this.paintNow());  // at once: it may be for paper
  }
  draw(): void {
    this.due = true;
    if (this.near.now) this.paintNow();
    else soon(() => { if (this.due) this.paintNow(); });
  }
  private paintNow(): void {
    const { canvas, width } = this;
    if (width === 0) return;
    this.due = false;
    const height = this.height(width);
    this.paint(penOf(canvas, width, height), width, height);
  }

  listen(gestures: Gestures): void {
    const { canvas } = this;
    let start: Spot | undefined;
    let moved = false;
    const spot = (event: PointerEvent): Spot => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = spot(event);
      moved = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const now = spot(event);
      if (start && gestures.drag && (moved || Math.hypot(now.x - start.x, now.y - start.y) > 4)) {
        moved = true;
        gestures.drag(start, now);
      }
      this.say(moved ? undefined : gestures.tell(now), now);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (start && !moved) gestures.click?.(spot(event));
      start = undefined;
      moved = false;
    });
    canvas.addEventListener("pointercancel", () => { start = undefined; });
    canvas.addEventListener("pointerleave", () => this.say(undefined, { x: 0, y: 0 }));
    canvas.addEventListener("dblclick", () => gestures.doubleClick?.());
    if (!gestures.key) return;
    canvas.tabIndex = 0;
    canvas.addEventListener("keydown", (event) => { if (gestures.key!(event)) event.preventDefault(); });
  }
  private say(text: string | undefined, at: Spot): void {
    this.tip.hidden = text === undefined;
    if (text === undefined) return;
    this.tip.textContent = text;
    const right = at.x > this.width / 2;
    this.tip.style.left = right ? "" : `${at.x + 12}px`;
    this.tip.style.right = right ? `${this.width - at.x + 12}px` : "";
    this.tip.style.top = `${Math.max(0, at.y - 34)}px`;
  }
}

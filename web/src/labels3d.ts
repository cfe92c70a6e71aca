// Texts over a scene in space: names, and the numbers of the grid.
import type { PerspectiveCamera } from "three";
import { element } from "./dom";
import { toVector } from "./solids3d";
import { danger, theme } from "./theme";
import type { Vec } from "./vec";

export interface Label {
  text: string;
  place: Vec;
  kind: "name" | "tick";
}

// What is written anew is laid out and painted anew, the same text as well.
function setStyle(span: HTMLElement, name: "width" | "transform", value: string): void {
  if (span.style[name] !== value) span.style[name] = value;
}

export class Labels3d {
  private readonly box = element("div", { class: "labels", "aria-hidden": "true" });
  private readonly spans: HTMLElement[] = [];
  private readonly scale = element("span", { class: "scale" });
  private readonly alert = element("span", { class: "alert" });
  private bar = { text: "", width: 0 };
  private seen: { label: Label; x: number; y: number }[] = [];

  constructor(frame: HTMLElement) {
    this.box.append(this.scale, this.alert);
    frame.append(this.box);
  }

  /** A bar that is as long as a length in the middle of the picture. */
  showScale(text: string, width: number): void {
    if (this.bar.text !== text) this.scale.textContent = text;
    this.bar = { text, width };
    setStyle(this.scale, "width", `${width.toFixed(1)}px`);
  }

  /** Across the top; nothing where it is empty. */
  showAlert(text: string): void {
    if (this.alert.textContent !== text) this.alert.textContent = text;
  }

  draw(labels: Label[], camera: PerspectiveCamera, width: number, height: number): void {
    while (this.spans.length < labels.length) {
      const span = element("span");
      this.box.append(span);
      this.spans.push(span);
    }
    this.seen = [];
    const taken: [number, number, number][] = [];
    this.spans.forEach((span, i) => {
      const label = labels[i];
      const seen = label && toVector(label.place).project(camera);
      const [x, y] = seen ? [(width * (seen.x + 1)) / 2, (height * (1 - seen.y)) / 2] : [0, 0];
      const room = label ? 4 * label.text.length : 0;
      // one that would stand on another, or outside, is left out
      const hidden = !seen || seen.z > 1 || x < 0 || y < 0 || x > width || y > height ||
        taken.some(([a, b, other]) => Math.abs(a - x) < room + other && Math.abs(b - y) < 13);
      if (span.hidden !== hidden) span.hidden = hidden;
      if (!label || hidden) return;
      taken.push([x, y, room]);
      this.seen.push({ label, x, y });
      if (span.textContent !== label.text) span.textContent = label.text;
      if (span.className !== label.kind) span.className = label.kind;
      setStyle(span, "transform", `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -130%)`);
    });
  }

  /** What was drawn last, on a picture of the same size. */
  paint(pen: CanvasRenderingContext2D, width: number, height: number): void {
    pen.textAlign = "left";
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = pen.strokeStyle = theme().faint;
    const y = height - 12;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [x, dy] of [[12, -4], [12, 0], [12 + this.bar.width, 0], [12 + this.bar.width, -4]] as const) pen.lineTo(x, y + dy);
    pen.stroke();
    pen.fillText(this.bar.text, 16, y - 4);
    pen.textAlign = "center";
    pen.font = "600 12px system-ui, sans-serif";
    pen.fillStyle = danger;
    pen.fillText(this.alert.textContent ?? "", width / 2, 40);
    for (const { label, x, y } of this.seen) {
      pen.font = label.kind === "name" ? "600 12px system-ui, sans-serif" : "10px system-ui, sans-serif";
      pen.fillStyle = label.kind === "name" ? theme().ink : theme().faint;
      pen.fillText(label.text, x, y - 6);
    }
  }
}

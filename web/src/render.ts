// Pictures without a reader: `dalembert run --scene` and `--animation` open the page in a browser without a window,
// with what they want behind the #, and read the document that the page leaves.
import type { Clock } from "./clock";
import type { Samples } from "./data";
import { element } from "./dom";
import type { ScenePlan } from "./scene";
import { Scene2d } from "./scene2d";
import { Scene3d } from "./scene3d";

export interface RenderRequest {
  kind: "png" | "svg";
  /** A still picture of these times, overlaid; without them the whole run. */
  times?: number[];
  /** Frames per second of the whole run. */
  rate?: number;
  width: number;
  height: number;
}

export function renderRequest(): RenderRequest | undefined {
  const [, text] = /^#render=(.+)$/.exec(window.location.hash) ?? [];
  return text === undefined ? undefined : JSON.parse(decodeURIComponent(text)) as RenderRequest;
}

/** The times of the frames: the run at the speed at which the page would play it, and its end. */
export function frameTimes(clock: Clock, rate: number): number[] {
  const span = clock.last - clock.first;
  const count = Math.max(1, Math.round((Math.abs(span) / clock.speed) * rate));
  return Array.from({ length: count + 1 }, (_, i) => clock.first + (span * i) / count);
}

export function render(request: RenderRequest, title: string, plan: ScenePlan, samples: Samples, clock: Clock): string[] {
  const frame = element("div", { class: "frame stage" });
  document.body.append(frame);
  const { width, height } = request;
  if (plan.dimension === 2) {
    const scene = new Scene2d(plan, samples, clock, frame);
    if (request.kind === "svg") return [scene.vector(request.times!, width, title)];
    scene.resize(width, height);
    return pictures(request, clock, () => onPaper(scene.canvas));
  }
  const scene = new Scene3d(plan, samples, clock, frame, true);
  scene.resize(width, height);
  const paint = (): HTMLCanvasElement => onPaper(scene.canvas, (pen) => scene.paintLabels(pen));
  if (request.kind === "png") return pictures(request, clock, paint);
  clock.seek(request.times![request.times!.length - 1]!);
  return [`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" xlink:href="${paint().toDataURL()}"/></svg>\n`];
}

function pictures(request: RenderRequest, clock: Clock, paint: () => HTMLCanvasElement): string[] {
  const times = request.times ?? frameTimes(clock, request.rate ?? 30);
  return times.map((time) => {
    clock.seek(time);
    return paint().toDataURL().replace(/^.*,/, "");
  });
}

/** On white, and with what the page shows beside its canvas. */
export function onPaper(canvas: HTMLCanvasElement, more?: (pen: CanvasRenderingContext2D) => void): HTMLCanvasElement {
  const copy = element("canvas", { width: canvas.width, height: canvas.height });
  const pen = copy.getContext("2d")!;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, copy.width, copy.height);
  pen.drawImage(canvas, 0, 0);
  more?.(pen);
  return copy;
}

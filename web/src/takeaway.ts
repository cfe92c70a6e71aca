// Pictures and films of the scene, saved from the page.
import type { Clock } from "./clock";
import { element } from "./dom";
import { onPaper } from "./render";
import type { Scene2d } from "./scene2d";
import { Scene3d } from "./scene3d";

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const fileName = (title: string, suffix: string): string =>
  `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "scene"}.${suffix}`;

const painted = (scene: Scene2d | Scene3d): HTMLCanvasElement =>
  onPaper(scene.canvas, scene instanceof Scene3d ? (pen) => scene.paintLabels(pen) : undefined);

/** Plays the run once and films it. */
function film(scene: Scene2d | Scene3d, clock: Clock, name: string, done: () => void): void {
  if (scene instanceof Scene3d) scene.filmed = true;
  const { width, height } = scene.canvas;
  const copy = element("canvas", { width, height });
  const pen = copy.getContext("2d")!;
  const recorder = new MediaRecorder(copy.captureStream(), { videoBitsPerSecond: 8e6 });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
  recorder.addEventListener("stop", () => {
    download(new Blob(pieces, { type: recorder.mimeType }), fileName(name, recorder.mimeType.includes("mp4") ? "mp4" : "webm"));
    if (scene instanceof Scene3d) scene.filmed = false;
    done();
  });
  clock.pause();
  clock.seek(clock.first);
  const paint = (): void => {
    if (recorder.state === "inactive") return;
    pen.drawImage(painted(scene), 0, 0);
    if (!clock.playing && clock.time === clock.last) setTimeout(() => { if (recorder.state !== "inactive") recorder.stop(); }, 200);
  };
  paint();
  recorder.start();
  clock.listen(paint);
  clock.play();
}

export function takeawayButtons(scene: Scene2d | Scene3d, clock: Clock, title: string): HTMLElement[] {
  const button = (text: string, hint: string, click: () => void): HTMLButtonElement =>
    element("button", { type: "button", class: "quiet", title: hint, click }, text);
  const buttons = [button("PNG", "save this picture", () => {
    painted(scene).toBlob((blob) => { if (blob) download(blob, fileName(title, "png")); });
  })];
  if (!(scene instanceof Scene3d)) {
    buttons.push(button("SVG", "save this picture as a drawing", () => {
      download(new Blob([scene.vector([clock.time], 960, title)], { type: "image/svg+xml" }), fileName(title, "svg"));
      scene.resize(scene.canvas.clientWidth, scene.canvas.clientHeight);
    }));
  }
  if (typeof MediaRecorder !== "undefined") {
    const record = button("Film", "play the run and save it as a film", () => {
      record.disabled = true;
      film(scene, clock, title, () => { record.disabled = false; });
    });
    buttons.push(record);
  }
  return [element("span", { class: "takeaway", role: "group", "aria-label": "save" }, "Save ", ...buttons)];
}

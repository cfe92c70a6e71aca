// What the reader chooses to see in the scene.

export type CameraMode = "follow" | "fit" | "fixed";
export type TraceMode = "grow" | "whole" | "off";

/** Drawn on request. */
export const extras = {
  names: "names",
  centers: "centres of mass",
  frames: "frames",
  instant: "instantaneous axes",
  velocity: "velocities",
  acceleration: "accelerations",
  force: "forces",
  reaction: "reactions",
  alerts: "redundant and singular",
  contacts: "contacts",
} as const;
export type Extra = keyof typeof extras;

export class Options {
  camera: CameraMode;
  traces: TraceMode = "grow";
  readonly shown = new Set<Extra>(["names", "force", "alerts", "contacts"]);
  private readonly listeners: (() => void)[] = [];

  constructor(travels: boolean) {
    this.camera = travels ? "follow" : "fit";
  }
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
  notify(): void {
    for (const listener of this.listeners) listener();
  }
  show(extra: Extra, shown: boolean): void {
    if (shown) this.shown.add(extra);
    else this.shown.delete(extra);
    this.notify();
  }
}

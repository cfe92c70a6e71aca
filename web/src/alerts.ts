// What is lit up in a scene: joints whose reactions redundant constraints leave open, and everything that moves while
// the motion passes a singular configuration.
import type { RunSummary, ShownUnit } from "./data";
import { quantity } from "./format";
import type { Pose } from "./pose";
import { shortName, type PlannedFigure, type ScenePlan } from "./scene";
import type { Vec } from "./vec";

export interface Alerts {
  /** Names of joints and constraints. */
  redundant: Set<string>;
  /** Times at which constraints lost rank. */
  singular: number[];
}

export const noAlerts: Alerts = { redundant: new Set(), singular: [] };

const nearby = 0.012;  // of the run, to either side: long enough to be seen

/** "pivot.force_x" and "lambda(pivot.z)" belong to pivot. */
const jointOf = (name: string): string => name.replace(/^lambda\((.*)\)$/, "$1").replace(/\.[^.]*$/, "");

export const alertsOf = (summary: RunSummary | undefined): Alerts => ({
  redundant: new Set((summary?.not_unique ?? []).map(jointOf)),
  singular: summary?.singular_times ?? [],
});

/** The time of the singular configuration in which the motion is, or nearly. */
export const singularAt = ({ singular }: Alerts, t: number, span: number): number | undefined =>
  singular.filter((time) => Math.abs(time - t) <= nearby * Math.abs(span)).sort((a, b) => Math.abs(a - t) - Math.abs(b - t))[0];

const isJoint = ({ kind, at }: PlannedFigure): boolean => at.length === 2 && !["ground", "motor", "gear", "spring", "damper", "spiral"].includes(kind);

/** Where joints are that are lit, and whether by a singular configuration. */
export function litPlaces(plan: ScenePlan, pose: Pose, singular: boolean): { place: Vec; name: string }[] {
  const { redundant } = plan.alerts;
  const joints = plan.figures.filter((figure) => isJoint(figure) && (singular || redundant.has(figure.name)));
  const points = plan.points.map(({ name }, i) => ({ place: pose.point(i), name: shortName(name) }));
  const named = new Set(joints.map(({ name }) => name));
  return [
    ...joints.map(({ at, name }) => ({ place: pose.place(at[1]!), name })),
    ...points.filter(({ name }) => !named.has(name) && (singular || redundant.has(name))),
  ];
}

export const singularText = (t: number, timeUnit: ShownUnit): string => `singular configuration at t = ${quantity(t, timeUnit, 4)}: constraints lose rank`;

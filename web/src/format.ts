// Numbers and sentences for people.
import { noUnit, type RunSummary, type ShownUnit } from "./data";

/** Up to `digits` significant digits, without trailing zeros: 0.25, 1.5e-7. In JSON what is not finite is null. */
export function number(value: number | null, digits = 6): string {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4
    ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
    : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

/** A number of the model in the unit in which it is shown: "0.25 ms". */
export function quantity(value: number, { unit, scale }: ShownUnit, digits = 6): string {
  return `${number(scale * value, digits)}${unit === "" ? "" : ` ${unit}`}`;
}

export const rough = (value: number | null): string => number(value, 2);

/** The name of a file without folders and suffix. */
export const stem = (file: string): string => file.replace(/^.*[/\\]/, "").replace(/(.)\.[^.]*$/, "$1");

export function duration(seconds: number): string {
  if (seconds < 1e-3) return `${number(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${number(seconds * 1e3, 3)} ms`;
  return `${number(seconds, 3)} s`;
}

/** The outcome in one sentence. */
export function outcomeSentence(run: RunSummary, timeUnit: ShownUnit = noUnit): string {
  const time = (t: number): string => quantity(t, timeUnit);
  const span = `from t = ${number(timeUnit.scale * run.start_time)} to t = ${time(run.end_time)}`;
  if (run.outcome === "finished") return `The run finished: ${span}.`;
  if (run.outcome === "doubtful") return `Do not trust these numbers: the run came ${span}, but its own checks contradict it.`;
  const asked = ` of ${time(run.asked_end_time)}`;
  if (run.outcome === "interrupted") {
    return `The run was interrupted at t = ${time(run.end_time)}${asked}; what was computed until then is shown.`;
  }
  const reason = run.reason === "" ? "" : `: ${run.reason}`;
  return `The run stopped early at t = ${time(run.end_time)}${asked}${reason}.`;
}

/** What the numbers of a run say about its quality, in plain words. */
export function qualitySentences(run: RunSummary, has: { g: boolean; gv: boolean; energy: boolean }): string[] {
  const sentences: string[] = [];
  const kept: string[] = [];
  if (has.g) kept.push(`positions to ${rough(run.max_position_residual)} (largest |g|)`);
  if (has.gv && has.energy) kept.push(`velocities to ${rough(run.max_velocity_residual)} (largest |C v + c|)`);
  if (kept.length > 0) sentences.push(`The constraints hold: ${kept.join(", ")}.`);
  if (!has.energy) return sentences;
  const { max_energy_error: error, energy_scale: size } = run;
  if (error === null || size === null) {
    return [...sentences, "The energy is beyond what numbers can hold and tells nothing about the run."];
  }
  const scale = size > 0 ? error / size : error;
  const taken = run.event_energy ?? 0;
  if (run.conservative && taken !== 0) {
    return [...sentences, `The energy goes from ${number(run.start_energy)} to ${number(run.end_energy)}; events and impacts change it by ` +
      `${number(taken)}. The two agree to ${rough(error)}, ${rough(scale)} of the energy's scale.`];
  }
  sentences.push(run.conservative
    ? `The energy ${number(run.start_energy)} is kept to ${rough(error)}, ${rough(scale)} of its scale.`
    : `The energy goes from ${number(run.start_energy)} to ${number(run.end_energy)}; the forces do the work ` +
      `${number(run.work)}. The two agree to ${rough(error)}, ${rough(scale)} of the energy's scale.`);
  return sentences;
}

/** How much of the end is right, by the estimated growth of errors. */
export function trustSentence(run: RunSummary): string | undefined {
  const digits = run.trusted_digits ?? undefined;
  if (digits === undefined) return undefined;
  const growth = (run.error_growth ?? 0) > 100 ? `; errors grew by ${rough(run.error_growth!)} on the way` : "";
  if (digits === 0) return `Perhaps no digit of the end state can be trusted${growth}. Ask for a smaller tolerance or more digits.`;
  return `About ${digits} digit${digits === 1 ? "" : "s"} of the end state can be trusted${growth}.`;
}

// The time that curves, animation and values show: moved by the reader or by playing.

const calm = 45;  // milliseconds

export class Clock {
  readonly first: number;
  readonly last: number;
  time: number;
  speed: number;
  playing = false;
  private readonly listeners: (() => void)[] = [];
  private before = 0;

  constructor(times: ArrayLike<number>) {
    this.first = times.length > 0 ? times[0]! : 0;
    this.last = times.length > 0 ? times[times.length - 1]! : 0;
    this.time = this.first;
    this.speed = defaultSpeed(Math.abs(this.last - this.first));
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
  /** For texts and marks: while the time goes on by itself a few times a second are enough. */
  listenCalmly(listener: () => void): void {
    let before = -Infinity;
    this.listen(() => {
      const now = performance.now();
      if (this.playing && now - before < calm) return;
      before = now;
      listener();
    });
  }
  seek(time: number): void {
    const low = Math.min(this.first, this.last);
    const high = Math.max(this.first, this.last);
    this.time = Math.min(high, Math.max(low, time));
    this.notify();
  }
  /** Moves by a part of the whole run. */
  nudge(part: number): void {
    this.seek(this.time + part * (this.last - this.first));
  }
  play(): void {
    if (this.playing || this.last === this.first) return;
    if (this.time === this.last) this.time = this.first;
    this.playing = true;
    this.before = performance.now();
    requestAnimationFrame((now) => this.frame(now));
    this.notify();
  }
  pause(): void {
    this.playing = false;
    this.notify();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private frame(now: number): void {
    if (!this.playing) return;
    const elapsed = Math.max(0, now - this.before) / 1000;
    this.before = now;
    const direction = this.last < this.first ? -1 : 1;
    const next = this.time + direction * elapsed * this.speed;
    const ended = direction * (this.last - next) <= 0;
    if (ended) this.playing = false;
    this.seek(ended ? this.last : next);
    if (!ended) requestAnimationFrame((later) => this.frame(later));
  }
  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Real time where a run then lasts 2 to 30 seconds; else the speed 1, 2 or 5 times a power of ten nearest to 10 s. */
export function defaultSpeed(span: number): number {
  if (!(span > 0) || (span >= 2 && span <= 30)) return 1;
  return speedNear(span / 10);
}

export function speedNear(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const candidates = [1, 2, 5, 10].map((digit) => digit * power);
  const distance = (speed: number): number => Math.abs(Math.log(speed / wanted));
  return Number(candidates.reduce((a, b) => (distance(b) < distance(a) ? b : a)).toPrecision(1));
}

/** Speeds to choose from, around one of them. */
export function speedChoices(speed: number): number[] {
  const factors = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
  return [...new Set(factors.map((factor) => speedNear(factor * speed)))].sort((a, b) => a - b);
}

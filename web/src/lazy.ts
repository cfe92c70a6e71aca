// What is far from the screen is drawn when there is time, and left alone until it comes near.

const tasks: (() => void)[] = [];
const piece = 12;  // milliseconds between two looks at what the reader does

function work(until: number): void {
  while (tasks.length > 0 && performance.now() < until) tasks.shift()!();
  if (tasks.length > 0) setTimeout(() => work(performance.now() + piece));
}

/** Does it when nothing else is to be done, or before the page is printed. */
export function soon(task: () => void): void {
  tasks.push(task);
  if (tasks.length === 1) setTimeout(() => work(performance.now() + piece));
}

window.addEventListener("beforeprint", () => work(Infinity));

/** Whether an element is on the screen, or nearly. */
export class Nearness {
  now = false;

  /** `came` is called when it comes near. */
  constructor(box: Element, came: () => void) {
    new IntersectionObserver((entries) => {
      const before = this.now;
      this.now = entries[entries.length - 1]!.isIntersecting;
      if (this.now && !before) came();
    }, { rootMargin: "200px" }).observe(box);
  }
}

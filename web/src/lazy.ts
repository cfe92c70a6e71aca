// What is far from the screen is drawn when there is time, and left alone until it comes near.

const tasks: (() => void)[] = [];
const piece = 12;  // milliseconds between two looks at what the reader does
const wait = 100;  // until the next look at whether the machine is busy with something else
let isBusy = (): boolean => false;

function work(until: number): void {
  while (tasks.length > 0 && performance.now() < until) tasks.shift()!();
  if (tasks.length > 0) schedule();
}

const schedule = (): void => {
  setTimeout(() => (isBusy() ? schedule() : work(performance.now() + piece)), isBusy() ? wait : 0);
};

/** Does it when nothing else is to be done, or before the page is printed. */
export function soon(task: () => void): void {
  tasks.push(task);
  if (tasks.length === 1) schedule();
}

/** What is due soon waits as long as this holds: a motion that is played has all the time there is. */
export function waitWhile(busy: () => boolean): void {
  isBusy = busy;
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

// Elements without HTML text: whatever comes from a model becomes a text node.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

export function section(id: string, title: string, ...children: (Node | string)[]): HTMLElement {
  return element("section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), ...children);
}

/** The pen of a canvas that is made so large, in pixels of the page; it draws in pixels of the screen. */
export function penOf(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  return pen;
}

/** Calls `draw` whenever the element's size changes. */
export function onResize(box: HTMLElement, draw: (width: number, height: number) => void): void {
  let before = "";
  const print = window.matchMedia("print");
  new ResizeObserver(() => {
    if (print.matches) return;  // pictures shrink with the paper
    const size = [Math.floor(box.clientWidth), Math.floor(box.clientHeight)] as const;
    if (size[0] === 0 || size.join() === before) return;
    before = size.join();
    draw(...size);
  }).observe(box);
}

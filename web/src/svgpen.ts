// A pen that writes SVG: as much of a canvas' context as the scene in the plane uses.

type Matrix = [number, number, number, number, number, number];

interface State {
  matrix: Matrix;
  strokeStyle: string;
  fillStyle: string;
  lineWidth: number;
  globalAlpha: number;
  lineCap: string;
  lineJoin: string;
  font: string;
  textAlign: string;
  dash: number[];
}

const round = (value: number): string => String(Number(value.toFixed(2)));
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export class SvgPen {
  strokeStyle = "#000";
  fillStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "10px sans-serif";
  textAlign = "left";
  private matrix: Matrix = [1, 0, 0, 1, 0, 0];
  private dash: number[] = [];
  private readonly states: State[] = [];
  private readonly parts: string[] = [];
  private path = "";
  private readonly ruler = document.createElement("canvas").getContext("2d")!;

  /** What asks for the pen's canvas wants its size. */
  constructor(readonly canvas: { width: number; height: number }) {}

  save(): void {
    const { matrix, strokeStyle, fillStyle, lineWidth, globalAlpha, lineCap, lineJoin, font, textAlign, dash } = this;
    this.states.push({ matrix: [...matrix], strokeStyle, fillStyle, lineWidth, globalAlpha, lineCap, lineJoin, font, textAlign, dash });
  }
  restore(): void {
    const state = this.states.pop();
    if (state) Object.assign(this, state);
  }
  translate(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }
  scale(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a * x, b * x, c * y, d * y, e, f];
  }
  rotate(angle: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }
  setLineDash(dash: number[]): void {
    this.dash = dash;
  }
  measureText(text: string): TextMetrics {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  clearRect(): void {}

  beginPath(): void {
    this.path = "";
  }
  closePath(): void {
    this.path += "Z";
  }
  moveTo(x: number, y: number): void {
    this.path += `M${this.at(x, y)}`;
  }
  lineTo(x: number, y: number): void {
    this.path += `${this.path === "" ? "M" : "L"}${this.at(x, y)}`;
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.path += `M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`;
  }
  roundRect(x: number, y: number, width: number, height: number, radii: number | number[]): void {
    const wanted = Array.isArray(radii) ? radii[0] ?? 0 : radii;
    const r = Math.min(wanted, Math.abs(width) / 2, Math.abs(height) / 2);
    this.moveTo(x + r, y);
    this.arc(x + width - r, y + r, r, -Math.PI / 2, 0);
    this.arc(x + width - r, y + height - r, r, 0, Math.PI / 2);
    this.arc(x + r, y + height - r, r, Math.PI / 2, Math.PI);
    this.arc(x + r, y + r, r, Math.PI, 1.5 * Math.PI);
    this.closePath();
  }
  arc(x: number, y: number, radius: number, from: number, to: number, backwards = false): void {
    const turn = 2 * Math.PI;
    let span = to - from;
    if (Math.abs(span) >= turn) span = backwards ? -turn : turn;
    else if (!backwards && span < 0) span += turn;
    else if (backwards && span > 0) span -= turn;
    const place = (angle: number): string => this.at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    this.path += `${this.path === "" || this.path.endsWith("Z") ? "M" : "L"}${place(from)}`;
    const pieces = Math.max(1, Math.ceil(Math.abs(span) / 2));  // less than half a turn each
    const [a, b, c, d] = this.matrix;
    const sweep = (span > 0) === (a * d - b * c > 0) ? 1 : 0;
    const r = round(radius * this.size());
    for (let k = 1; k <= pieces; ++k) this.path += `A${r} ${r} 0 0 ${sweep} ${place(from + (span * k) / pieces)}`;
  }
  fill(rule?: string): void {
    this.add(`fill="${this.fillStyle}"${rule ? ` fill-rule="${rule}"` : ""}`, this.path);
  }
  stroke(): void {
    const dash = this.dash.length === 0 ? "" : ` stroke-dasharray="${this.dash.map((part) => round(part * this.size())).join(" ")}"`;
    this.add(`fill="none" stroke="${this.strokeStyle}" stroke-width="${round(this.lineWidth * this.size())}" ` +
      `stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dash}`, this.path);
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }
  fillText(text: string, x: number, y: number): void {
    this.text(text, x, y, `fill="${this.fillStyle}"`);
  }
  strokeText(text: string, x: number, y: number): void {
    this.text(text, x, y, `fill="none" stroke-linejoin="round" stroke="${this.strokeStyle}" stroke-width="${round(this.lineWidth)}"`);
  }

  /** What is drawn by `draw` is as faint as this. */
  group(opacity: number, draw: () => void): void {
    this.parts.push(`<g opacity="${opacity}">`);
    draw();
    this.parts.push("</g>");
  }

  take(title: string): string {
    const { width, height } = this.canvas;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      `font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<title>${escaped(title)}</title>\n` +
      `<rect width="${width}" height="${height}" fill="#fff"/>\n${this.parts.join("\n")}\n</svg>\n`;
  }

  private at(x: number, y: number): string {
    const [a, b, c, d, e, f] = this.matrix;
    return `${round(a * x + c * y + e)} ${round(b * x + d * y + f)}`;
  }
  private size(): number {
    const [a, b, c, d] = this.matrix;
    return Math.sqrt(Math.abs(a * d - b * c));
  }
  private opacity(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${round(this.globalAlpha)}"`;
  }
  private add(style: string, path: string): void {
    if (path !== "") this.parts.push(`<path d="${path}" ${style}${this.opacity()}/>`);
  }
  private text(text: string, x: number, y: number, style: string): void {
    const [, size = "12"] = this.font.match(/([\d.]+)px/) ?? [];
    const weight = /^\s*(\d{3}|bold)\b/.exec(this.font)?.[1];
    const italic = this.font.includes("italic");
    const anchor = { center: "middle", right: "end", end: "end" }[this.textAlign] ?? "start";
    const [a, b, c, d] = this.matrix;
    const plain = a === 1 && b === 0 && c === 0 && d === 1;
    const place = plain ? `x="${round(x + this.matrix[4])}" y="${round(y + this.matrix[5])}"`
      : `transform="matrix(${this.matrix.map(round).join(" ")})" x="${round(x)}" y="${round(y)}"`;
    this.parts.push(`<text ${place} font-size="${size}"${weight ? ` font-weight="${weight}"` : ""}${italic ? ' font-style="italic"' : ""} ` +
      `text-anchor="${anchor}" ${style}${this.opacity()}>${escaped(text)}</text>`);
  }
}

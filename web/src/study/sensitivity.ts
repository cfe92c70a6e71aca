// Sobol's indices as bars: which share of a result's variance each quantity makes, alone and with all others.
import { element } from "../dom";
import { seriesColor, theme } from "../theme";
import { Axis, label } from "./axis";
import { columnsOf, isVaried, type StudyColumn, type StudyData } from "./data";
import { drawAcross, line } from "./draw";
import { Picture, type Pen } from "./picture";
import { numbersBehind } from "./tables";

const sure = 1.96;  // standard errors of 95 %
const row = 40;
const kinds = [
  { name: "alone", share: "first", error: "first_error", color: 0 },
  { name: "with all others", share: "total", error: "total_error", color: 1 },
] as const;

/** In the order of what they make. */
function ordered(study: StudyData, column: StudyColumn): { name: string; place: number }[] {
  return study.columns.filter(isVaried).map(({ name }, place) => ({ name, place }))
    .sort((a, b) => column.indices![b.place]!.total - column.indices![a.place]!.total);
}

function paint(pen: Pen, width: number, height: number, names: { name: string; place: number }[], column: StudyColumn): void {
  const colors = theme();
  pen.font = "13px system-ui, sans-serif";
  const left = Math.min(width * 0.35, 14 + Math.max(...names.map(({ name }) => pen.measureText(name).width)));
  const greatest = Math.max(1, ...column.indices!.map(({ total, total_error }) => total + sure * total_error));
  const least = Math.min(0, ...column.indices!.map(({ first, first_error }) => first - sure * first_error));
  const axis = new Axis(least, greatest, false, left, width - 12);
  const bottom = height - 20;
  drawAcross(pen, axis, bottom, 4);
  names.forEach(({ name, place }, i) => {
    const top = 6 + i * row;
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.fillStyle = colors.ink;
    pen.fillText(name, left - 8, top + 20, left - 10);
    kinds.forEach(({ share, error, color }, k) => {
      const [value, off] = [column.indices![place]![share], sure * column.indices![place]![error]];
      const y = top + 2 + k * 15;
      pen.fillStyle = seriesColor(color);
      pen.fillRect(axis.place(0), y, axis.place(value) - axis.place(0), 13);
      pen.strokeStyle = colors.ink;
      pen.lineWidth = 1.4;
      const ends = [axis.placeInside(value - off), axis.placeInside(value + off)] as const;
      line(pen, ends[0], y + 6.5, ends[1], y + 6.5);
      for (const end of ends) line(pen, end, y + 3, end, y + 10);
      pen.lineWidth = 1;
    });
  });
  pen.strokeStyle = colors.faint;
  line(pen, axis.place(0), 4, axis.place(0), bottom);
}

export function sensitivityCards(study: StudyData): HTMLElement[] {
  return columnsOf(study, "collected").filter(({ column }) => column.indices).map(({ column }) => {
    const names = ordered(study, column);
    const words = names.map(({ name, place }) => `${name} ${column.indices![place]!.total.toFixed(2)}`).join(", ");
    const picture = new Picture(`Shares of the variance of ${column.name}: ${words}`, () => names.length * row + 28,
      (pen, width, height) => paint(pen, width, height, names, column));
    return element("figure", { class: "card" }, element("figcaption", {}, label(column)), picture.box,
      element("div", { class: "legend" }, ...kinds.map(({ name, color }) =>
        element("span", { class: "key" }, element("span", { class: `swatch series-${color}` }), name))),
      numbersBehind(`shares of ${column.name}`, ["", "alone", "±", "with all others", "±"], () => names.map(({ name, place }) => {
        const index = column.indices![place]!;
        return [name, index.first.toFixed(4), (sure * index.first_error).toFixed(4), index.total.toFixed(4), (sure * index.total_error).toFixed(4)];
      })));
  });
}

// Wheels, balls, circles and polygons in the plane.
import type { Brush } from "./gears2d";
import type { PlannedFigure } from "./scene";
import { disc, ends, pixel, radiusOf, strokeLine } from "./strokes2d";
import { seriesColor, theme } from "./theme";

export function wheel(brush: Brush, figure: PlannedFigure): void {
  const { pen, camera, pose } = brush;
  const radius = camera.scale * pose.number(figure.numbers["radius"]);
  pen.translate(...ends(brush, figure)[0]);
  pen.rotate(-(pose.angle(figure.at[0]!) + pose.number(figure.numbers["angle"])));
  const tyre = Math.max(2, 0.14 * radius);
  pen.fillStyle = theme().paper;
  pen.globalAlpha = 0.55;
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 2 * Math.PI);
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = tyre;
  pen.beginPath();
  pen.arc(0, 0, radius - tyre / 2, 0, 2 * Math.PI);
  pen.stroke();
  pen.lineWidth = Math.max(1.2, 0.35 * tyre);
  for (let i = 0; i < 6; ++i) {  // one spoke is marked, so that whole turns are seen
    const [c, s] = [Math.cos((Math.PI * i) / 3), Math.sin((Math.PI * i) / 3)];
    pen.strokeStyle = i === 0 ? seriesColor(1) : theme().ink;
    strokeLine(pen, [0, 0], [(radius - tyre) * c, (radius - tyre) * s]);
  }
  pen.strokeStyle = theme().ink;
  pen.fillStyle = theme().paper;
  disc(pen, [0, 0], Math.max(2, 0.12 * radius));
}

// A disc; one of its quarters is darker, so that turns are seen.
export function ball(brush: Brush, figure: PlannedFigure): void {
  const { pen, pose } = brush;
  const radius = radiusOf(brush, figure, 0);
  const held = figure.at[0]!;
  pen.translate(...ends(brush, figure)[0]);
  pen.rotate(-pose.angle(held));
  pen.fillStyle = pen.strokeStyle = held.body === undefined ? theme().accent : seriesColor(held.body);
  disc(pen, [0, 0], radius);
  if (held.body === undefined) return;
  pen.fillStyle = theme().paper;
  pen.globalAlpha = 0.45;
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.arc(0, 0, radius, 0, Math.PI / 2);
  pen.fill();
}

export function circle(brush: Brush, figure: PlannedFigure): void {
  const { pen, camera, pose } = brush;
  pen.strokeStyle = theme().faint;
  pen.beginPath();
  pen.arc(...ends(brush, figure)[0], Math.abs(camera.scale * pose.number(figure.numbers["radius"])), 0, 2 * Math.PI);
  pen.stroke();
}

export function polygon(brush: Brush, figure: PlannedFigure): void {
  const { pen, pose } = brush;
  pen.strokeStyle = pen.fillStyle = theme().accent;
  pen.beginPath();
  for (const anchor of figure.at) pen.lineTo(...pixel(brush, pose.place(anchor)));
  pen.closePath();
  pen.globalAlpha = 0.25;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
}

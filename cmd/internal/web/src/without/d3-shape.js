// Without arcs, pies, stacks and curves: lines and areas lead from point to point, straight or in steps, and points are circles or triangles.
// What is here is drawn as d3-shape draws it, to thousandths of a pixel.

import {pathRound} from "d3-path";

/** steps is a curve that changes its height at a share of the way from a point to the next one; a straight one has none. */
const steps = (share) => (context) => {
  let last;
  return {
    lineStart() { last = undefined; },
    point(x, y) {
      if (!last) context.moveTo(x, y);
      else if (share !== undefined) {
        const between = last[0] * (1 - share) + x * share;
        context.lineTo(between, last[1]);
        context.lineTo(between, y);
        if (share === 0.5) context.lineTo(x, y);
      } else context.lineTo(x, y);
      last = [x, y];
    },
    lineEnd() {}
  };
};

export const curveLinear = steps();
export const curveStep = steps(0.5);
export const curveStepAfter = steps(1);
export const curveStepBefore = steps(0);

/** shape is a function from rows to a path, whose coordinates and curve are set by name, as those of d3 are. */
function shape(names, draw) {
  const of = {curve: curveLinear, defined: () => true};
  const path = (rows) => {
    const context = pathRound(3);
    for (let from = 0; from < rows.length; from++) {
      let until = from;
      while (until < rows.length && of.defined(rows[until])) until++;
      if (until > from) draw(context, rows.slice(from, until), of);
      from = until;
    }
    return String(context) || null;
  };
  for (const name of [...names, "curve", "defined"]) path[name] = (f) => ((of[name] = f), path);
  return path;
}

export const line = () =>
  shape(["x", "y"], (context, rows, of) => {
    const curve = of.curve(context);
    curve.lineStart();
    for (const r of rows) curve.point(of.x(r), of.y(r));
    curve.lineEnd();
    if (rows.length === 1) context.closePath(); // a point
  });

/** area is between two straight lines. */
export const area = () =>
  shape(["x0", "y0", "x1", "y1"], (context, rows, of) => {
    rows.forEach((r, i) => context[i ? "lineTo" : "moveTo"](of.x1(r), of.y1(r)));
    for (const r of rows.reverse()) context.lineTo(of.x0(r), of.y0(r));
    context.closePath();
  });

export const symbolCircle = {
  draw(context, size) {
    const r = Math.sqrt(size / Math.PI);
    context.moveTo(r, 0);
    context.arc(0, 0, r, 0, 2 * Math.PI);
  }
};

export const symbolTriangle = {
  draw(context, size) {
    const y = -Math.sqrt(size / (Math.sqrt(3) * 3));
    context.moveTo(0, y * 2);
    context.lineTo(-Math.sqrt(3) * y, -y);
    context.lineTo(Math.sqrt(3) * y, -y);
    context.closePath();
  }
};

const none = {draw() { throw new Error("pictures have no such symbol"); }};
const symbols = [symbolCircle, symbolTriangle];

export {none as symbolAsterisk, none as symbolCross, none as symbolDiamond, none as symbolDiamond2, none as symbolPlus, none as symbolSquare,
  none as symbolSquare2, none as symbolStar, none as symbolTimes, none as symbolTriangle2, none as symbolWye, symbols as symbolsFill, symbols as symbolsStroke};

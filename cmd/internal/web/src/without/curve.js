// Without curves: lines lead straight from point to point, or in steps.
import {curveLinear, curveStep, curveStepAfter, curveStepBefore} from "d3";

const curves = {linear: curveLinear, step: curveStep, "step-after": curveStepAfter, "step-before": curveStepBefore};

export function maybeCurve(curve = curveLinear) {
  if (typeof curve === "function") return curve;
  if (!curves[curve]) throw new Error(`pictures have no curve ${curve}`);
  return curves[curve];
}

export const curveAuto = (context) => curveLinear(context);
export const maybeCurveAuto = (curve = curveAuto) => (curve === "auto" ? curveAuto : maybeCurve(curve));

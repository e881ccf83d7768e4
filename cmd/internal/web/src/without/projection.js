// Without maps: x and y are scales.
import {coerceNumbers} from "../../third_party/@observablehq/plot/src/options.js";
import {valueObject} from "../../third_party/@observablehq/plot/src/channel.js";

export const createProjection = () => undefined;
export const hasProjection = () => false;
export const projectionAspectRatio = () => undefined;
export const xyProjection = () => null;
export const getGeometryChannels = () => [];
export const project = () => { throw new Error("pictures have no maps"); };

export function applyPosition(channels, scales) {
  const {x, y} = channels;
  const position = valueObject({...(x && {x}), ...(y && {y})}, scales);
  if (x) position.x = coerceNumbers(position.x);
  if (y) position.y = coerceNumbers(position.y);
  return position;
}

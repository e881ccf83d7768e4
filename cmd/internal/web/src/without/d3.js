// Without maps and calendars: what Plot asks of d3 for these.
export * from "d3";

const none = () => { throw new Error("pictures have no maps and no calendars"); };

export {none as geoPath, none as geoStream, none as geoTransform, none as utcFormat, none as timeFormat, none as scaleTime, none as scaleUtc};

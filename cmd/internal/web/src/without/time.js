// Without calendars: times are nanoseconds since a beginning.
const none = () => { throw new Error("pictures have no calendars"); };

export const intervalDuration = Symbol("intervalDuration");
export const intervalType = Symbol("intervalType");
export {none as parseTimeInterval, none as timeInterval, none as utcInterval, none as generalizeTimeInterval, none as inferTimeFormat};

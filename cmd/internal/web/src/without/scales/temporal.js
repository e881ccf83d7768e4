// Without calendars: times are nanoseconds since a beginning.
const none = () => { throw new Error("pictures have no calendars"); };

export {none as createScaleTime, none as createScaleUtc};

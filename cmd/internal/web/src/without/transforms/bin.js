// Without bins: the program counts, and pictures get edges with numbers.
const none = () => { throw new Error("pictures have no bins of their own"); };
const asGiven = (options = {}) => (options.interval == null ? options : none());

export {none as bin, none as binX, none as binY, none as maybeThresholds, asGiven as maybeDenseIntervalX, asGiven as maybeDenseIntervalY};

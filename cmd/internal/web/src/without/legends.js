// Without legends: these stand beside a picture.
export const createLegends = () => [];
export const exposeLegends = () => () => undefined;
export const legend = () => undefined;

// Without schemes: a picture names its colours.
const none = () => { throw new Error("pictures have no schemes of colours: name the colours"); };

export const isCategoricalScheme = () => false;
export const isDivergingScheme = () => false;
export const maybeBooleanRange = () => undefined;
export {none as ordinalScheme, none as ordinalRange, none as quantitativeScheme};

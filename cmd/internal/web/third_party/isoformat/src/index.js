export {default as format} from "./format.js";
export {default as parse} from "./parse.js";

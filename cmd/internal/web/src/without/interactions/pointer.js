// Without pointers: nothing in a picture follows the mouse.
const none = () => { throw new Error("pictures do not follow the pointer"); };

export {none as pointer, none as pointerX, none as pointerY, none as anchorX, none as anchorY};

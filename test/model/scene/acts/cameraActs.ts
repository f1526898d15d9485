import { actsOf } from './Act.js';

/** The camera by which the scene is drawn may lie in it, below anything. */
export const cameraActs = actsOf({
  mountCamera: {
    weight: 0.5,
    apply: (side, { a }) => {
      side.node(a).add(side.camera);
      side.edited(side.camera);
    },
  },
  unmountCamera: {
    weight: 0.7,
    apply: (side) => {
      side.camera.removeFromParent();
    },
  },
});

import { act, actsOf } from './Act.js';

/** The camera by which the scene is drawn may lie in it, below anything. */
export const cameraActs = actsOf({
  mountCamera: act(0.5, (side, { a }) => {
    side.node(a).add(side.camera);
    side.edited(side.camera);
  }),
  unmountCamera: act(0.7, ({ camera }) => camera.removeFromParent()),
});

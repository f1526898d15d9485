/** Methods of ours in the place of the `onBeforeRender` of batches, which do no more than that and note who draws. */
export const notingCallbacks: WeakSet<object> = new WeakSet();

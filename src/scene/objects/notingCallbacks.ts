/** The library's methods in place of a batch's `onBeforeRender`, which only call the original and note the renderer. */
export const notingCallbacks: WeakSet<object> = new WeakSet();

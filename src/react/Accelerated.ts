import { context } from '@react-three/fiber';
import { createElement, Fragment, lazy, type ReactNode, Suspense, useContext } from 'react';
import { checkBoolean } from '../scene/objects/checks.js';
import { type AccelerationProps, SceneAcceleration, scenesAround } from './SceneAcceleration.js';

/** Props of {@link Accelerated}: the options of `accelerate`, and what concerns components. */
export interface AcceleratedProps extends AccelerationProps {
  /**
   * Marks the scene static, as `<Static>` does with its children, but for the default camera: what moves by anything but
   * React has to be in a `<Static enabled={false}>`, or moves unseen until `index.touch(object)`. The code for it is loaded
   * on demand. Default false.
   */
  static?: boolean;
  children?: ReactNode;
}

/**
 * Accelerates the scene that it is in, with or without children: that of the canvas, or in a portal into another scene, as
 * made by drei's `View` and `Hud`, that one. While it is mounted, rendering, raycasters and pointer events go through an
 * index; pictures, hits and events are the same as without. `useSceneIndex` gives the index anywhere in the canvas.
 *
 * The index follows changes of `structure`, `static`, and of whether `batch` is set. Any other change accelerates the scene again, and
 * calls `onIndex` with another index. A call of `accelerate` for the scene takes over: hooks have no index then, until this
 * is mounted again.
 *
 * Throws what `accelerate` throws for options that are not legal, and an Error outside of a canvas, or where another one
 * accelerates the scene already.
 */
export function Accelerated({ children, static: isStatic = false, ...props }: AcceleratedProps): ReactNode {
  const store = useContext(context);
  if (!store) throw new Error('Accelerated: must be inside of a <Canvas>');
  checkBoolean(isStatic, 'Accelerated.static');
  const [scene] = scenesAround(store);
  return createElement(
    Fragment,
    null,
    children,
    createElement(SceneAcceleration, { ...props, store }),
    isStatic && createElement(Suspense, null, createElement(StaticScene, { scene })),
  );
}

const StaticScene = lazy(async () => ({ default: (await import('./StaticScene.js')).StaticScene }));

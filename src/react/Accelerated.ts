import { context } from '@react-three/fiber';
import { createElement, Fragment, type ReactNode, useContext } from 'react';
import { type AccelerationProps, SceneAcceleration } from './SceneAcceleration.js';

/** Props of {@link Accelerated}: the options of `accelerate`, and what concerns components. */
export interface AcceleratedProps extends AccelerationProps {
  children?: ReactNode;
}

/**
 * Accelerates the scene that it is in, with or without children: that of the canvas, or in a portal into another scene, as
 * made by drei's `View` and `Hud`, that one. While it is mounted, rendering, raycasters and pointer events go through an
 * index; pictures, hits and events are the same as without. `useSceneIndex` gives the index anywhere in the canvas.
 *
 * The index follows changes of `structure`, and of whether `batch` is set. Any other change accelerates the scene again, and
 * calls `onIndex` with another index. A call of `accelerate` for the scene takes over: hooks have no index then, until this
 * is mounted again.
 *
 * Throws what `accelerate` throws for options that are not legal, and an Error outside of a canvas, or where another one
 * accelerates the scene already.
 */
export function Accelerated({ children, ...props }: AcceleratedProps): ReactNode {
  const store = useContext(context);
  if (!store) throw new Error('Accelerated: must be inside of a <Canvas>');
  return createElement(Fragment, null, children, createElement(SceneAcceleration, { ...props, store }));
}

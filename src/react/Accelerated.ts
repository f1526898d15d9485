import { context } from '@react-three/fiber';
import { createElement, Fragment, type ReactNode, useContext } from 'react';
import { type AccelerationProps, SceneAcceleration } from './SceneAcceleration.js';

/** Props of {@link Accelerated}: the options of `accelerate`, and what concerns components. */
export interface AcceleratedProps extends AccelerationProps {
  children?: ReactNode;
}

/**
 * Accelerates the scene that it is in, with or without children: that of the canvas, or within a portal into another
 * scene, as drei's `View` and `Hud` make them, that one. While it is mounted, the renderer, raycasters and pointer events go
 * through an index; pictures, hits and events are the same as without. `useSceneIndex` gives the index anywhere in the
 * canvas.
 *
 * A change of `structure`, or of whether there is to be a `batch`, is followed by the index there is; any other option
 * has the scene accelerated anew, and `onIndex` called with another index.
 *
 * What `accelerate` throws for options that are not legal comes out as an error of this component, and so does an Error
 * outside of a canvas, or where another one accelerates the scene.
 */
export function Accelerated({ children, ...props }: AcceleratedProps): ReactNode {
  const store = useContext(context);
  if (!store) throw new Error('Accelerated: must be inside of a <Canvas>');
  return createElement(Fragment, null, children, createElement(SceneAcceleration, { ...props, store }));
}

import { context } from '@react-three/fiber';
import { createElement, Fragment, type ReactNode, useContext } from 'react';
import { AcceleratedCanvases } from './AcceleratedCanvases.js';
import { Acceleration, type AccelerationProps } from './Acceleration.js';

/** Props of {@link Accelerated}: the options of `accelerate`, and what concerns components. */
export interface AcceleratedProps extends AccelerationProps {
  children?: ReactNode;
}

/**
 * Has the renderer, raycasters and pointer events of a canvas go through an index of its scene, as long as it is mounted;
 * pictures, hits and events are the same as without. `useSceneIndex` gives the index anywhere in the canvas.
 *
 * Inside of a canvas, with children or without, it accelerates the scene that it is in: that of the canvas, or within a
 * portal into another scene, as drei's `View` and `Hud` make them, that one. Around canvases it accelerates the scene of
 * each that lies below it, each with an index of its own; there it puts an element with `display: contents` around
 * them. A canvas with one inside is left to that.
 *
 * A change of `structure`, or of whether there is to be a `batch`, is followed by the index there is; any other option
 * has the scene accelerated anew, and `onIndex` called with another index.
 *
 * What `accelerate` throws for options that are not legal comes out as an error of this component.
 */
export function Accelerated({ children, ...props }: AcceleratedProps): ReactNode {
  const store = useContext(context);
  // The context has no value outside of canvases.
  if (!store) return createElement(AcceleratedCanvases, props, children);
  return createElement(Fragment, null, children, createElement(Acceleration, { ...props, store, isInside: true }));
}

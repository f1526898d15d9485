// drei has a three-mesh-bvh of its own, whose declarations of three's classes must come second.
/// <reference types="three-mesh-bvh" />

// Short blocks of code take these as given: the objects that every three.js program has, and the index of the scene.

declare const scene: import('three').Scene;
declare const camera: import('three').PerspectiveCamera;
declare const renderer: import('three').WebGLRenderer;
declare const raycaster: import('three').Raycaster;
declare const pointer: import('three').Vector2;
declare const player: import('three').Mesh;
declare const index: import('three-scene-index').AcceleratedScene;

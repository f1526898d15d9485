// What short examples without three.js take as given: an index, its items, and what a server does about them.

declare const index: import('three-scene-index/core').SpatialIndex;
declare const camera: import('three').Camera;
declare const boxes: Float64Array;
declare const planes: Float64Array;
declare const min: Float32Array;
declare const max: Float32Array;
declare const ids: Int32Array;
declare const gone: number[];
declare function step(min: Float32Array, max: Float32Array): void;

declare const interest: import('three-scene-index/interest').Interest;
declare const player: number;
declare const ghost: number;
declare const castle: number;
declare const flag: number;
declare const explosion: number;
declare function notify(observer: import('three-scene-index/interest').Observer): void;
declare function send(entered: Iterable<number>, left: Iterable<number>): void;
declare function introduce(id: number): void;
declare function tellPosition(id: number): void;
declare function forget(id: number): void;

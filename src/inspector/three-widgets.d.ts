/** Widgets of three's Inspector that have no types. */

declare module 'three/addons/inspector/ui/List.js' {
  import type { Item } from 'three/addons/inspector/ui/Item.js';

  export class List {
    readonly domElement: HTMLDivElement;
    constructor(...headers: string[]);
    setGridStyle(columns: string): void;
    add(item: Item): void;
  }
}

declare module 'three/addons/inspector/ui/Graph.js' {
  export class Graph {
    readonly domElement: HTMLCanvasElement;
    /** The value at the upper edge. */
    limit: number;
    constructor(maxPoints?: number);
    addLine(name: string, color: string): void;
    addPoint(name: string, value: number): void;
    update(): void;
  }
}

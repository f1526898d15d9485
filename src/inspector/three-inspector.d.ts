/** What tabs use of three's Inspector, and its types leave out. */

import type { Camera, Object3D } from 'three';

declare module 'three/addons/inspector/ui/Tab.js' {
  /** What holds all tabs. */
  interface Profiler {
    readonly panel: HTMLElement;
    setActiveTab(id: string): void;
    togglePanel(): void;
    removeTab(tab: object): void;
  }

  interface Tab<TEventMap extends TabEventMap = TabEventMap> {
    /** What the panel shows of the tab. */
    readonly content: HTMLDivElement;
    /** True while the panel, or a window of its own, shows the tab. */
    readonly isActive: boolean;
    /** By which the panel knows the tab: made of its title. */
    readonly id: string;
    /** Set while the tab is in an Inspector. */
    readonly profiler: Profiler | null;
    /** Called at the end of each frame, shown or not. */
    update(inspector: object): void;
  }
}

declare module 'three/addons/inspector/ui/Item.js' {
  interface Item {
    readonly itemRow: HTMLDivElement;
    add(item: Item): this;
  }
}

declare module 'three/addons/inspector/Inspector.js' {
  interface Inspector {
    /** The frame that ends, or has ended last. */
    getFrame(): { readonly renders: readonly { readonly scene: Object3D; readonly camera: Camera }[] } | null;
  }
}

/** What tests may read. */
export interface Probe {
  readonly world: string;
  readonly structure: string;
  readonly counts: { inside: number; intersecting: number; culled: number; visible: number; total: number };
  readonly picked: string | null;
  readonly frames: number;
  readonly eye: number[];
  /** Resolves when the first world has been drawn. */
  readonly ready: Promise<void>;
}

declare global {
  interface Window {
    __demo: Probe;
  }
}

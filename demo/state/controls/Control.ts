/** A value the user can change: its label, its start and its legal range. */
export type Control = Range | Choice<string> | Toggle | Button;

export interface Range {
  kind: 'range';
  label: string;
  start: number;
  low: number;
  high: number;
  step: number;
}

export interface Choice<T extends string> {
  kind: 'choice';
  label: string;
  start: T;
  /** Values by the names they are shown with. */
  choices: Readonly<Record<string, T>>;
}

export interface Toggle {
  kind: 'toggle';
  label: string;
  start: boolean;
}

/** Triggers an action; it has no value. */
export interface Button {
  kind: 'button';
  label: string;
}

export type Controls = Readonly<Record<string, Control>>;

/** The values that belong to controls. */
export type Values<C extends Controls = Controls> = {
  -readonly [K in keyof C as C[K] extends Button ? never : K]: C[K] extends Choice<infer T>
    ? T
    : C[K] extends Range
      ? number
      : C[K] extends Toggle
        ? boolean
        : string | number | boolean;
};

export function range(label: string, start: number, [low, high]: [number, number], step = 1): Range {
  return { kind: 'range', label, start, low, high, step };
}

export function choice<const T extends string>(label: string, start: T, choices: Record<string, T>): Choice<T> {
  return { kind: 'choice', label, start, choices };
}

export function toggle(label: string, start: boolean): Toggle {
  return { kind: 'toggle', label, start };
}

export function button(label: string): Button {
  return { kind: 'button', label };
}

/** The start values of all controls. */
export function startValues<C extends Controls>(controls: C): Values<C> {
  const values: Record<string, unknown> = {};
  for (const [name, control] of Object.entries(controls)) {
    if (control.kind !== 'button') values[name] = control.start;
  }
  return values as Values<C>;
}

/** Parses a value and clamps it to the range; undefined if it makes no sense. */
export function parseValue(control: Control, text: string | null): string | number | boolean | undefined {
  if (text === null || control.kind === 'button') return undefined;
  if (control.kind === 'toggle') return text === '1' ? true : text === '0' ? false : undefined;
  if (control.kind === 'choice') return Object.values(control.choices).find((value) => value === text);
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? Math.min(control.high, Math.max(control.low, value)) : undefined;
}

export function formatValue(value: string | number | boolean): string {
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

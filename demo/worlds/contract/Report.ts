/** A line of a report: what, how much, and the name of its colour in style/tokens.css. */
export type Row = [label: string, value: string, colour?: string];

/** The report of a world: a title, one large figure, and lines that double as the legend of its colours. */
export interface Report {
  title: string;
  figure: string;
  unit: string;
  rows: Row[];
}

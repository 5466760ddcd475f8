/** A bar: a stretch of time in a row. */
export interface ChartBar {
  readonly start: number;
  readonly end: number;
  /** Index from 0 of the item that it shows, such as an operation or an action; null for none. */
  readonly item: number | null;
  /** Its look; a class in SVG, such as `fixed` or `wait`. */
  readonly kind: string;
  /** Number of its colour, see `jobColour`; null if the kind determines it. */
  readonly colour: number | null;
  /** Longest first; the first that fits is shown. */
  readonly labels: readonly string[];
  /** Text under the pointer; null for none. */
  readonly title: string | null;
  /** Where it is drawn: in a lane of its row, over all lanes (behind or before the others), or in a strip below them. */
  readonly place: 'lane' | 'behind' | 'before' | 'strip';
  /** Whether its label is drawn next to it where it has no room inside. */
  readonly isLabelledBeside: boolean;
  /** Its difference from another chart, such as `moved`; null for none. */
  readonly change: string | null;
  /** Its violations. */
  readonly faults: readonly ChartFault[];
  /** Times at which it is slower than usual. */
  readonly slow: readonly (readonly [from: number, until: number])[];
}

/** A violation: its number in a list, and its sentence. */
export interface ChartFault {
  readonly number: number;
  readonly message: string;
}

/** A missing thing, and the time at which it is required. */
export interface MissingFault extends ChartFault {
  readonly from: number;
  readonly until: number;
}

/** A time before or after which something must happen. */
export interface ChartLimit {
  readonly time: number;
  readonly side: 'from' | 'by';
  readonly title: string;
}

/** A stretch of a row in which nothing can be done. */
export interface ChartShade {
  readonly from: number;
  readonly until: number;
  readonly title: string;
}

/** A stretch of a row that breaks a rule: times in conflict, or a false claim. */
export interface ChartConflict extends ChartShade {
  readonly kind: 'conflict' | 'claim';
}

/** A row of a chart. */
export interface ChartRow<B extends ChartBar = ChartBar> {
  /** The heading of its group; null for none. */
  readonly group: string | null;
  readonly name: string;
  readonly bars: readonly B[];
  readonly shades: readonly ChartShade[];
  /** Stretches in which the row is prepared for what follows. */
  readonly setups: readonly ChartShade[];
  readonly limits: readonly ChartLimit[];
  readonly conflicts: readonly ChartConflict[];
  /** Faults without a bar. */
  readonly missing: readonly MissingFault[];
}

/** A bar without marks, labels and title, to be spread. */
export const PLAIN_BAR = {
  item: null,
  colour: null,
  labels: [],
  title: null,
  place: 'lane',
  isLabelledBeside: false,
  change: null,
  faults: [],
  slow: [],
} as const;

/** A row without contents, to be spread. */
export const EMPTY_ROW = {
  group: null,
  bars: [],
  shades: [],
  setups: [],
  limits: [],
  conflicts: [],
  missing: [],
} as const;

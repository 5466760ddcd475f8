import { type ClockWords, ENGLISH_CLOCK } from '../../../../jssp/shop-clock.js';
import type { MoveCause } from '../../views/schedule-data.js';

/** All texts of a chart; a page in another language passes its own. */
export interface ChartTexts {
  /** The times of its clock. */
  readonly clock: ClockWords;
  readonly job: (number: number) => string;
  readonly machine: (number: number) => string;
  readonly step: (number: number) => string;
  readonly tools: {
    readonly zoomIn: string;
    readonly zoomOut: string;
    readonly earlier: string;
    readonly later: string;
    readonly whole: string;
    readonly now: string;
    readonly rows: string;
    readonly machines: string;
    readonly jobs: string;
    readonly resources: string;
    readonly allRows: string;
    readonly critical: string;
    readonly short: string;
    readonly keys: string;
  };
  /** Keys of the chart, for its help. */
  readonly keys: readonly (readonly [keys: string, what: string])[];
  readonly canvas: (label: string) => string;
  readonly hint: (operations: number, missing: number, bars: 'machine' | 'job') => string;
  readonly now: (time: string) => string;
  /** A hint on operations that may be dragged. */
  readonly drag: string;
  /** Parts of the description of an operation. */
  readonly operation: {
    readonly none: string;
    readonly time: (start: string, end: string) => string;
    /** How many machines can do it. */
    readonly choice: (machines: number) => string;
    readonly setup: (start: string, end: string) => string;
    readonly slack: (duration: string) => string;
    readonly critical: string;
    readonly fixed: string;
    readonly due: (time: string, late: string | null) => string;
    readonly isNew: string;
    readonly was: (start: string, end: string) => string;
    readonly violation: (message: string) => string;
  };
  readonly legend: {
    readonly moves: string;
    /** Of moves whose earlier places are outlines. */
    readonly outlines: string;
    readonly critical: string;
    readonly down: string;
    readonly setup: string;
    /** In rows of operators and tools. */
    readonly away: string;
    readonly closed: string;
    readonly short: string;
    readonly due: string;
    readonly violation: string;
    readonly now: string;
  };
  readonly causes: Readonly<Record<MoveCause, string>>;
}

/** The texts of a chart in English. */
export const CHART_TEXTS: ChartTexts = {
  clock: ENGLISH_CLOCK,
  job: (number) => `job ${number}`,
  machine: (number) => `machine ${number}`,
  step: (number) => `step ${number}`,
  tools: {
    zoomIn: 'zoom in',
    zoomOut: 'zoom out',
    earlier: 'earlier',
    later: 'later',
    whole: 'all',
    now: 'now',
    rows: 'rows',
    machines: 'machines',
    jobs: 'jobs',
    resources: 'operators and tools',
    allRows: 'all rows',
    critical: 'critical path',
    short: 'closed time short',
    keys: 'keys',
  },
  keys: [
    ['← →', 'operation before or behind in the row'],
    ['↑ ↓', 'operation at that time in the next row'],
    ['j, Shift j', 'next or previous step of the job'],
    ['c, v, m', 'next on the critical path, in a violation, that moved'],
    ['+ −', 'zoom'],
    ['Shift ← →', 'move along'],
    ['0', 'all of it'],
    ['Enter, ← →, Enter', 'moves the selected operation, where that is allowed; Esc leaves it'],
    ['Esc', 'none selected'],
  ],
  canvas: (label) => `${label}. Arrow keys go from operation to operation, plus and minus zoom.`,
  hint: (operations, missing, bars) => {
    const gaps = missing === 0 ? '' : ` ${missing} of them have no start and are not drawn.`;
    const other = bars === 'machine' ? 'machines' : 'jobs';
    return `${operations} operations.${gaps} Numbers on bars are ${other}. Point at one, or click the chart and use the arrow keys; the wheel zooms after a click, or with Ctrl.`;
  },
  now: (time) => `now ${time}`,
  drag: 'drag it, or press Enter and then the arrow keys',
  operation: {
    none: 'no start',
    time: (start, end) => `${start} to ${end}`,
    choice: (machines) => `one of ${machines} machines that can do it`,
    setup: (start, end) => `setup ${start} to ${end}`,
    slack: (duration) => `slack ${duration}`,
    critical: 'on the critical path',
    fixed: 'start is fixed',
    due: (time, late) => `due ${time}${late === null ? '' : `, ${late} late`}`,
    isNew: 'new',
    was: (start, end) => `was ${start} to ${end}`,
    violation: (message) => `violation: ${message}`,
  },
  legend: {
    moves: 'each row: before above, after below; what did not move is pale',
    outlines: 'dashed outline: where it was; what did not move is pale',
    critical: 'critical path',
    down: 'machine is down',
    setup: 'setup of the machine',
    away: 'not there',
    closed: 'closed as planned',
    short: '// on the axis: closed time, drawn short',
    due: '▼ due date of the job pointed at; red end: late',
    violation: 'breaks a rule; dashed with a corner: a false claim',
    now: 'dashed line: now; what is done is paler',
  },
  causes: {
    event: 'an event hit it',
    fault: 'part of a violation',
    missing: 'had no start before',
    new: 'new: its job has just arrived',
    job: 'waits for its job',
    machine: 'waits for its machine',
    reassigned: 'on another machine',
    place: 'another place in the queue',
    earlier: 'starts earlier',
    limit: 'pinned by a limit',
    later: 'moved with the others',
  },
};

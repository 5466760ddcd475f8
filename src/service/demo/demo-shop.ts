import { createCalendar } from '../../jssp/calendar.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../jssp/instance.js';

/** A step of a routing: what is done, on which machine, and for how many minutes. */
export interface RoutingStep {
  readonly operation: string;
  readonly machine: number;
  readonly minutes: number;
}

const MACHINES = ['Saw', 'Lathe 1', 'Lathe 2', 'Mill', 'Grinder'];
const WORK = ['sawing', 'turning', 'boring', 'milling', 'grinding'];

/** Orders: name, hours until they are due, weight, and their routing as machine:minutes. */
const ORDERS: readonly (readonly [name: string, due: number, weight: number, routing: string])[] = [
  ['WO-4711', 14, 2, '0:40 1:110 3:90 4:60'],
  ['WO-4712', 16, 1, '0:30 2:130 4:70'],
  ['WO-4713', 28, 1, '0:55 1:80 2:60 3:120'],
  ['WO-4714', 14, 3, '3:95 1:70 4:85'],
  ['WO-4715', 36, 1, '0:45 2:100 3:75 4:90'],
  ['WO-4716', 30, 1, '1:140 3:110 4:50'],
  ['WO-4717', 36, 2, '0:35 2:90 1:60 4:75'],
  ['WO-4718', 16, 1, '2:120 3:80'],
  ['WO-4719', 40, 1, '0:60 1:95 3:100 4:65'],
  ['WO-4720', 54, 1, '0:50 2:105 3:130 1:45'],
];

const DAY = 24 * 60;
/** Days that have a calendar; two weeks from a Monday on. */
const DAYS = 14;
/** Shifts from 6 to 14 and from 14 to 22 with a break in each, in minutes after 6 in the morning. */
const PAUSES = [
  [240, 270],
  [720, 750],
] as const;
const NIGHT = 16 * 60;

/**
 * The shop of `alas-jssp serve --demo`: ten orders on five machines, in minutes from six o'clock of a Monday on, with
 * two shifts a day from Monday to Friday.
 */
export function demoShop(): Instance {
  const routings = ORDERS.map(([, , , routing]) => readRouting(routing));
  const jobs = routings.map((steps) =>
    steps.map(({ machine, minutes }) => [machine, minutes] as const),
  );
  return replaceInstance(instanceFromJobs('demo', jobs, MACHINES.length), {
    due: Int32Array.from(ORDERS, ([, hours]) => hours * 60),
    weight: Int32Array.from(ORDERS, ([, , weight]) => weight),
    calendar: twoShifts(),
    names: {
      jobs: ORDERS.map(([name]) => name),
      machines: MACHINES,
      operations: routings.flat().map(({ operation }) => operation),
    },
    timeScale: { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' },
  });
}

/** The routing of an order like one of those that the shop began with. */
export function demoRouting(index: number): readonly RoutingStep[] {
  return readRouting(ORDERS[index % ORDERS.length][3]);
}

function readRouting(text: string): RoutingStep[] {
  return text.split(' ').map((step) => {
    const [machine, minutes] = step.split(':').map(Number);
    return { operation: WORK[machine], machine, minutes };
  });
}

/** Breaks, nights and weekends of all machines; work goes on after them. */
function twoShifts() {
  const downtimes = MACHINES.flatMap((_, machine) => {
    const down = (from: number, to: number) => ({ machine, from, to, resumable: true });
    return Array.from({ length: DAYS }, (_, day) => day)
      .filter((day) => day % 7 < 5)
      .flatMap((day) => {
        const morning = day * DAY;
        const next = (day % 7 === 4 ? day + 3 : day + 1) * DAY;
        const pauses = PAUSES.map(([from, to]) => down(morning + from, morning + to));
        return [...pauses, down(morning + NIGHT, next)];
      });
  });
  return createCalendar(MACHINES.length, downtimes);
}

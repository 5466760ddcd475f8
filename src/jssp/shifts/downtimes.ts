import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { MachineDowntime } from '../calendar.js';
import type { TimeScale } from '../shop-clock.js';
import type { ShopCalendars, Week } from './calendar-file.js';
import { type Span, workingSpans } from './week.js';

/** The working times and downtimes of a machine up to a horizon. */
export interface MachineShifts {
  readonly working: readonly Span[];
  readonly downtimes: readonly MachineDowntime[];
}

/**
 * Compiles weekly calendars to working times and downtimes of each machine from time 0 to a horizon. They do not extend
 * beyond the horizon.
 *
 * @param machines the names of the machines
 * @throws InputError `bad_calendar` if a machine has no calendar, or a shift ends between two units of time
 */
export function compileCalendars(
  calendars: ShopCalendars,
  machines: readonly string[],
  scale: TimeScale,
  horizon: number,
): MachineShifts[] {
  const spansOf = new Map<Week, Span[]>();
  return machines.map((name, machine) => {
    const week = weekOf(calendars, name);
    const working = spansOf.get(week) ?? workingSpans(week, calendars.holidays, scale, horizon);
    spansOf.set(week, working);
    const { resumable } = week;
    const downtimes = gapsOf(working, horizon).map((gap) => ({ machine, ...gap, resumable }));
    return { working, downtimes };
  });
}

/** The times up to a horizon that no span covers. */
function gapsOf(spans: readonly Span[], horizon: number): Span[] {
  const edges = [0, ...spans.flatMap(({ from, to }) => [from, to]), horizon];
  return Array.from({ length: edges.length / 2 }, (_, i) => ({
    from: edges[2 * i],
    to: edges[2 * i + 1],
  })).filter(({ from, to }) => from < to);
}

function weekOf(calendars: ShopCalendars, machine: string): Week {
  const { machines } = calendars;
  const name = Object.hasOwn(machines, machine) ? machines[machine] : calendars.default;
  if (name !== undefined) return calendars.calendars[name];
  const known = Object.keys(machines);
  throw new InputError(
    'bad_calendar',
    `the machine ${JSON.stringify(machine)} has no calendar`,
    known.length === 0
      ? 'name one for it under machines, or one for all under default'
      : `${suggestNames(machine, known).replace(/\?$/, '')}? Else name its calendar under machines, or one for all under default`,
    {},
    machine,
  );
}

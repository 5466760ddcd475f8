import { downtimesOf } from '../../calendar.js';
import type { Instance } from '../../instance.js';
import { eachPredecessor, modeMachine, modesOf, SETUP_PHASE } from '../../shop-parts.js';
import type { FormatLoss } from './losses.js';
import { isNumberDetail } from './pyjobshop-numbers.js';

/** The least and the greatest transport time from one operation to another, over the machines of their modes. */
export function transportBetween(
  instance: Instance,
  from: number,
  to: number,
): { readonly least: number; readonly most: number } {
  const { transport, machines } = instance;
  if (transport === null) return { least: 0, most: 0 };
  const [first, stop] = modesOf(instance, from);
  const [second, end] = modesOf(instance, to);
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = first; i < stop; i++) {
    for (let k = second; k < end; k++) {
      const time = transport.time[modeMachine(instance, i) * machines + modeMachine(instance, k)];
      least = Math.min(least, time);
      most = Math.max(most, time);
    }
  }
  return { least, most };
}

/** The parts of an instance that PyJobShop does not have, or has in another form. */
export function pyJobShopLosses(instance: Instance): FormatLoss[] {
  const losses: FormatLoss[] = [];
  const add = (feature: FormatLoss['feature'], effect: FormatLoss['effect'], note: string) =>
    losses.push({ feature, effect, note });
  addDowntimeLosses(instance, add);
  addSetupLosses(instance, add);
  addResourceLosses(instance, add);
  addFrozenLosses(instance, add);
  const { transport, duration, names, timeScale, jobs, jobOffset, operations, due } = instance;
  if (transport !== null) {
    let varies = false;
    for (let op = 0; op < operations; op++) {
      eachPredecessor(instance, op, (before) => {
        const { least, most } = transportBetween(instance, before, op);
        if (least < most) varies = true;
      });
    }
    if (varies) add('transport', 'looser', 'transport times cannot depend on the chosen machines');
    else add('transport', 'none', 'transport times are written as delays between tasks');
  }
  if (duration.includes(0)) {
    add('zero-durations', 'stricter', 'tasks of duration 0 occupy their machine there');
    if (instance.setups !== null) {
      add('setups', 'looser', 'a task of duration 0 between two others cancels their setup there');
    }
  }
  const empty = Array.from({ length: jobs }, (_, j) => jobOffset[j + 1] - jobOffset[j]).filter(
    (n) => n === 0,
  ).length;
  if (empty > 0) add('incomplete', 'none', `${empty} jobs without operations are not written`);
  if (due !== null)
    add(
      'due-dates',
      'none',
      'the objective is the total weighted tardiness, without the makespan for ties',
    );
  if (names?.details?.some((one) => Object.keys(one).some((heading) => !isNumberDetail(heading)))) {
    add('names', 'none', 'details of jobs are not written');
  }
  if (instance.setups?.names) add('names', 'none', 'names of families are not written');
  if (timeScale !== null) add('time-scale', 'none', 'the clock is not written: times are numbers');
  return losses;
}

type Add = (feature: FormatLoss['feature'], effect: FormatLoss['effect'], note: string) => void;

function addDowntimeLosses(instance: Instance, add: Add): void {
  const { calendar, operations, machines } = instance;
  if (calendar === null) return;
  const kinds = Array.from(
    { length: machines },
    (_, k) => new Set(downtimesOf(calendar, k).map(({ resumable }) => resumable)),
  );
  const used = new Set(instance.modes?.machine ?? instance.machine);
  if (kinds.some((kind, k) => kind.has(true) && !used.has(k))) {
    add('downtimes', 'none', 'downtimes of a machine without tasks are not resumable there');
  }
  let isMixed = false;
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    const ofOperation = new Set<boolean>();
    for (let mode = first; mode < stop; mode++) {
      for (const kind of kinds[modeMachine(instance, mode)]) ofOperation.add(kind);
    }
    if (ofOperation.size > 1) isMixed = true;
  }
  if (isMixed)
    add('downtimes', 'looser', 'a task is interrupted by all downtimes of its machines or by none');
  if (calendar.estimated !== undefined)
    add('downtimes', 'none', 'estimated ends of downtimes are written as known');
  if (calendar.until !== undefined)
    add('calendars', 'none', 'the time up to which shifts are known is not written');
}

function addSetupLosses({ setups, calendar, machines }: Instance, add: Add): void {
  if (setups === null) return;
  const { matrixOf, anticipatory, first } = setups;
  const withSetups = Array.from({ length: machines }, (_, k) => k).filter((k) => matrixOf[k] >= 0);
  if (first.some((time) => time > 0)) {
    add('setups', 'looser', 'there is no setup before the first task of a machine');
  }
  if (withSetups.some((k) => anticipatory[k] === 0)) {
    add('setups', 'looser', 'setups may take place before the job arrives');
  }
  if (withSetups.some((k) => downtimesOf(calendar, k).length > 0)) {
    add('setups', 'looser', 'setups may take place in downtimes');
  }
}

function addResourceLosses({ resources, calendar }: Instance, add: Add): void {
  if (resources === null) return;
  const { capacity, calendar: times, needPhase } = resources;
  if (needPhase.includes(SETUP_PHASE)) {
    add('resources', 'looser', 'setups need no operators and tools');
  }
  if (times?.amount.some((amount) => amount > 0)) {
    add('capacity', 'looser', 'the capacity of a resource is the same at all times, or 0');
  }
  const isResumable = calendar?.resumable.includes(1) ?? false;
  if (isResumable && times !== null) {
    add(
      'calendars',
      'looser',
      'times without operators interrupt tasks that downtimes may interrupt',
    );
  }
  if (isResumable) {
    add('resources', 'stricter', 'an interrupted task keeps its operators and tools');
  }
  if (times?.estimated !== undefined) {
    add('calendars', 'none', 'estimated ends of absences are written as known');
  }
  if (capacity.length > 0 && resources.needResource.length === 0) {
    add('resources', 'none', 'the operators and tools are written, and no task needs any');
  }
}

function addFrozenLosses(instance: Instance, add: Add): void {
  const { frozen, calendar, operations, release } = instance;
  if (frozen === null) return;
  let hasChoice = false;
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    if (frozen[op] >= 0 && stop - first > 1) hasChoice = true;
  }
  if (hasChoice) add('frozen', 'looser', 'the mode of a task with a frozen start is free');
  if (calendar !== null) add('frozen', 'stricter', 'frozen tasks also follow the downtimes');
  if (release !== null) add('releases', 'none', 'releases of frozen tasks are not written');
}

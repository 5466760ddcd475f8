import { MAX_TIME } from '../../instance.js';
import { type Modes, type Resources, WORK_PHASE } from '../../shop-parts.js';
import { chooseFastest } from '../mode-arrays.js';
import { MAX_COUNT } from '../rows.js';
import { refusePyJobShop } from './pyjobshop-jobs.js';
import type { PyJobShopData } from './pyjobshop-schema.js';
import { createResourceCalendar } from './resource-calendar.js';

/** The modes of all operations, and the numbers in the file of modes, machines and other resources. */
export interface ReadModes {
  readonly modes: Modes;
  /** M entries: the number of each mode in the file. */
  readonly number: Int32Array;
  /** The resources of the file that are machines. */
  readonly machines: readonly number[];
  /** The resources of the file that are renewable. */
  readonly renewables: readonly number[];
}

/** Reads the modes of all operations, each with one machine and any number of renewable resources. */
export function readPyJobShopModes(
  data: PyJobShopData,
  task: Int32Array,
  file: string | undefined,
): ReadModes {
  const { resources, tasks } = data;
  const indexesOf = (type: string) =>
    [...resources.keys()].filter((i) => resources[i].type === type);
  const [machines, renewables] = [indexesOf('machine'), indexesOf('renewable')];
  const machineAt = new Map(machines.map((resource, k) => [resource, k]));
  const byTask: number[][] = tasks.map(() => []);
  data.modes.forEach((mode, i) => {
    if (mode.task >= tasks.length) {
      const hint = `use 0 to ${tasks.length - 1}`;
      refusePyJobShop(`there is no task ${mode.task}`, hint, ['modes', i, 'task'], file, mode.task);
    }
    checkMode(data, i, machineAt, file);
    byTask[mode.task].push(i);
  });
  const empty = byTask.findIndex((list) => list.length === 0);
  if (empty >= 0) refusePyJobShop('this task has no mode', 'give it one', ['tasks', empty], file);
  const number = Int32Array.from(Array.from(task, (one) => byTask[one]).flat());
  const offset = new Int32Array(task.length + 1);
  for (const [op, one] of task.entries()) offset[op + 1] = offset[op] + byTask[one].length;
  const machineOf = (i: number) => data.modes[i].resources.find((one) => machineAt.has(one)) ?? -1;
  const modes = chooseFastest({
    offset,
    machine: number.map((i) => machineAt.get(machineOf(i)) ?? 0),
    duration: number.map((i) => data.modes[i].duration),
  });
  return { modes, number, machines, renewables };
}

/** Refuses a mode that needs more than one machine, or something else that no mode of ours can need. */
function checkMode(
  { modes, resources, tasks }: PyJobShopData,
  i: number,
  machineAt: ReadonlyMap<number, number>,
  file: string | undefined,
): void {
  const { resources: used, demands, task } = modes[i];
  const path = ['modes', i];
  const unknown = used.find((one) => one >= resources.length);
  if (unknown !== undefined) {
    const hint = `use 0 to ${resources.length - 1}`;
    refusePyJobShop(`there is no resource ${unknown}`, hint, [...path, 'resources'], file, unknown);
  }
  if (demands.length > 0 && demands.length !== used.length) {
    const hint = 'give one demand for each resource, or none at all';
    refusePyJobShop(`there are ${demands.length} demands`, hint, [...path, 'demands'], file);
  }
  const count = used.filter((one) => machineAt.has(one)).length;
  if (count !== 1) {
    const problem = `this mode needs ${count === 0 ? 'no machine' : `${count} machines`}`;
    const hint = 'give it one machine; others may be renewable resources of capacity 1';
    refusePyJobShop(problem, hint, [...path, 'resources'], file);
  }
  for (const [k, one] of used.entries()) {
    const { type, breaks } = resources[one];
    const demand = demands[k] ?? 0;
    if (type === 'machine' && demand > 0) {
      refusePyJobShop(
        'a machine has no capacity',
        'demand 0 of it',
        [...path, 'demands', k],
        file,
        demand,
      );
    }
    if (type === 'consumable' && demand > 0) {
      refusePyJobShop(
        'consumable resources are not modelled',
        'demand 0 of them',
        [...path, 'demands', k],
        file,
        demand,
      );
    }
    if (type === 'machine' || breaks.length === 0) continue;
    if (demand === 0 || tasks[task].allow_breaks) {
      const problem = `resource ${one} has breaks, and this mode ${demand === 0 ? 'demands nothing of it' : 'may be interrupted by them'}`;
      const hint =
        'here only breaks of machines interrupt, and those of resources matter if some is needed';
      refusePyJobShop(problem, hint, [...path, 'resources', k], file);
    }
  }
}

/** The renewable resources and the needs of all modes; null if there are none. */
export function pyJobShopResources(
  data: PyJobShopData,
  { number, renewables }: ReadModes,
): Resources | null {
  if (renewables.length === 0) return null;
  const at = new Map(renewables.map((resource, i) => [resource, i]));
  const needOffset = new Int32Array(number.length + 1);
  const [needResource, needAmount] = [[] as number[], [] as number[]];
  for (const [i, mode] of number.entries()) {
    const { resources, demands } = data.modes[mode];
    for (const [k, one] of resources.entries()) {
      const resource = at.get(one);
      const amount = demands[k] ?? 0;
      if (resource === undefined || amount === 0) continue;
      needResource.push(resource);
      needAmount.push(amount);
    }
    needOffset[i + 1] = needResource.length;
  }
  const listed = renewables.map((i) => data.resources[i]);
  const names = listed.map(({ name }) => name);
  return {
    count: renewables.length,
    capacity: Int32Array.from(listed, (one) =>
      Math.min(MAX_COUNT, 'capacity' in one ? one.capacity : 0),
    ),
    names: names.every((name) => name !== '') ? names : null,
    calendar: createResourceCalendar(
      listed.map(({ breaks }) =>
        breaks.map(([from, to]) => ({ from, to: Math.min(to, MAX_TIME), amount: 0 })),
      ),
    ),
    needOffset,
    needResource: Int32Array.from(needResource),
    needAmount: Int32Array.from(needAmount),
    needPhase: new Uint8Array(needResource.length).fill(WORK_PHASE),
  };
}

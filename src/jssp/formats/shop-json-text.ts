import type { Instance } from '../instance.js';
import { labelsOf } from '../labels.js';
import {
  chosenMode,
  modeDuration,
  modeMachine,
  modesOf,
  SETUP_PHASE,
  type Setups,
  WORK_PHASE,
} from '../shop-parts.js';
import { TIME_KEYS, writeTimes } from './time-fields.js';

/** The text of the parts of a shop that a classic job shop does not have. */
export interface ShopWriter {
  /** The keys after `machines`, each preceded by a comma. */
  readonly head: string;
  /** The keys of an operation in place of machine and duration. */
  operation(op: number): object;
}

/** Creates the writer for an instance. */
export function describeShop(
  instance: Instance,
  machineLabel: (machine: number) => number | string,
): ShopWriter {
  const { setups } = instance;
  const parts = {
    families: setups === null ? undefined : (setups.names ?? setups.families),
    resources: describeResources(instance),
    setups: setups === null ? undefined : describeSetups(setups, machineLabel),
    transport: describeTransport(instance, machineLabel),
  };
  const head = Object.entries(parts).map(([key, value]) =>
    value === undefined ? '' : `,\n"${key}":${listText(value)}`,
  );
  const needsOf = needsWriter(instance);
  const after = predecessorsWriter(instance);
  return {
    head: head.join(''),
    operation: (op) => ({
      ...describeModes(instance, op, machineLabel, needsOf),
      ...(setups === null
        ? {}
        : { family: setups.names?.[setups.family[op]] ?? setups.family[op] }),
      ...after(op),
    }),
  };
}

/** A list with each entry on a line; anything else on one. */
function listText(value: unknown): string {
  const isList = Array.isArray(value) && typeof value[0] === 'object';
  if (!isList) return JSON.stringify(value);
  return `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}

function describeModes(
  instance: Instance,
  op: number,
  machineLabel: (machine: number) => number | string,
  needsOf: (mode: number) => object,
): object {
  const [first, stop] = modesOf(instance, op);
  const modes = Array.from({ length: stop - first }, (_, i) => ({
    machine: machineLabel(modeMachine(instance, first + i)),
    duration: modeDuration(instance, first + i),
    ...needsOf(first + i),
  }));
  if (modes.length === 1) return modes[0];
  let fastest = 0;
  for (let i = 1; i < modes.length; i++) {
    if (modes[i].duration < modes[fastest].duration) fastest = i;
  }
  const chosen = chosenMode(instance, op) - first;
  return { modes, ...(chosen === fastest ? {} : { mode: chosen + 1 }) };
}

function needsWriter({ resources }: Instance): (mode: number) => object {
  if (resources === null) return () => ({});
  const { names, needOffset, needResource, needAmount, needPhase } = resources;
  return (mode) => {
    const needsIn = (phase: number) => {
      const entries: [string, number][] = [];
      for (let need = needOffset[mode]; need < needOffset[mode + 1]; need++) {
        if (needPhase[need] !== phase) continue;
        const resource = needResource[need];
        entries.push([names?.[resource] ?? String(resource + 1), needAmount[need]]);
      }
      return entries.length === 0 ? undefined : Object.fromEntries(entries);
    };
    // JSON omits what is undefined.
    return { needs: needsIn(WORK_PHASE), setup_needs: needsIn(SETUP_PHASE) };
  };
}

/** The writer of `after`, which is omitted where it is the operation before without lags. */
function predecessorsWriter(instance: Instance): (op: number) => object {
  const { precedence, jobOf, jobOffset } = instance;
  if (precedence === null) return () => ({});
  const labels = labelsOf(instance);
  const { offset, pred, minLag, maxLag } = precedence;
  return (op) => {
    const job = jobOf[op];
    const isFirst = op === jobOffset[job];
    const [from, to] = [offset[op], offset[op + 1]];
    const isUsual = isFirst
      ? from === to
      : to === from + 1 && pred[from] === op - 1 && minLag[from] === 0 && maxLag[from] < 0;
    if (isUsual) return {};
    const after = Array.from({ length: to - from }, (_, i) => {
      const [min, max] = [minLag[from + i], maxLag[from + i]];
      const step = labels.step(job, pred[from + i] - jobOffset[job]);
      const lags = { ...(min > 0 ? { min_lag: min } : {}), ...(max >= 0 ? { max_lag: max } : {}) };
      return Object.keys(lags).length === 0 ? step : { step, ...lags };
    });
    return { after };
  };
}

function describeResources({ resources, timeScale }: Instance): object[] | undefined {
  if (resources === null) return undefined;
  const { names, capacity, calendar } = resources;
  return Array.from(capacity, (units, resource) => {
    const times = [];
    const [from, to] = calendar
      ? [calendar.offset[resource], calendar.offset[resource + 1]]
      : [0, 0];
    for (let i = from; calendar !== null && i < to; i++) {
      const time = {
        from: calendar.from[i],
        to: calendar.to[i],
        capacity: calendar.amount[i],
        ...(calendar.estimated?.[i] ? { estimated: true } : {}),
      };
      times.push(writeTimes(time, TIME_KEYS.downtime, timeScale));
    }
    return {
      ...(names === null ? {} : { name: names[resource] }),
      capacity: units,
      ...(times.length === 0 ? {} : { calendar: times }),
    };
  });
}

/** A table for the machines with the same matrix, once for each way to anticipate. */
function describeSetups(
  setups: Setups,
  machineLabel: (machine: number) => number | string,
): object[] {
  const { families, names, matrixOf, time, first, anticipatory } = setups;
  const label = (family: number) => names?.[family] ?? String(family);
  const nonZero = (numbers: Int32Array) =>
    Object.fromEntries(
      Array.from(numbers, (value, i) => [label(i), value] as const).filter(
        ([, value]) => value > 0,
      ),
    );
  const tables = [];
  for (let matrix = 0; matrix < first.length / families; matrix++) {
    for (const flag of [1, 0]) {
      const machines = Array.from(matrixOf.keys()).filter(
        (k) => matrixOf[k] === matrix && anticipatory[k] === flag,
      );
      if (machines.length === 0) continue;
      const from = matrix * families;
      const rows = Array.from({ length: families }, (_, i) => {
        const row = (from + i) * families;
        return [label(i), nonZero(time.subarray(row, row + families))] as const;
      });
      const firsts = nonZero(first.subarray(from, from + families));
      tables.push({
        machines: machines.map(machineLabel),
        ...(Object.keys(firsts).length > 0 ? { first: firsts } : {}),
        times: Object.fromEntries(rows.filter(([, row]) => Object.keys(row).length > 0)),
        ...(flag === 0 ? { anticipatory: false } : {}),
      });
    }
  }
  return tables;
}

function describeTransport(
  { transport, machines }: Instance,
  machineLabel: (machine: number) => number | string,
): object[] | undefined {
  if (transport === null) return undefined;
  const times: object[] = [];
  transport.time.forEach((time, i) => {
    if (time === 0) return;
    const [from, to] = [Math.floor(i / machines), i % machines];
    times.push({ from: machineLabel(from), to: machineLabel(to), time });
  });
  return times;
}

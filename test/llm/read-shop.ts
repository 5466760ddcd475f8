import { createCalendar, type MachineDowntime } from '../../src/jssp/calendar.js';
import { createInstance, type Instance } from '../../src/jssp/instance.js';
import type { Precedence, Resources, Setups } from '../../src/jssp/shop-parts.js';
import { offsetsOf } from '../arbitraries.js';

/** An operation as a prompt describes it. */
interface ReadOperation {
  readonly choices: readonly {
    readonly machine: number;
    readonly duration: number;
    readonly needs: readonly { resource: number; amount: number; phase: number }[];
  }[];
  readonly family: number;
  readonly edges: readonly { step: number; least: number; most: number }[];
  readonly release: number;
  readonly frozen: number;
}

/** Reads an instance out of a prompt, by nothing but what the prompt says. */
export function readShop(prompt: string): Instance {
  const lines = prompt.split('\n');
  const machines = Number(/machines Machine0 to Machine(\d+)\./.exec(lines[0])?.[1]) + 1;
  const jobs = new Map<number, string>();
  const downtimes: MachineDowntime[] = [];
  for (const line of lines) {
    const [, number, rest] = /^Job(\d+): (.*)$/.exec(line) ?? [];
    if (number !== undefined) jobs.set(Number(number) - 1, rest);
    const [, machine, times] = /^Machine(\d+): (.*)$/.exec(line) ?? [];
    for (const [, from, to, mark] of (times ?? '').matchAll(/(\d+) to (\d+)(~?)/g)) {
      const isMarked = mark === '~';
      downtimes.push({ machine: +machine, from: +from, to: +to, resumable: isMarked });
    }
  }
  const count = Math.max(-1, ...jobs.keys()) + 1;
  const all = Array.from({ length: count }, (_, job) => jobs.get(job) ?? '');
  const read = all.map((text) => {
    const own = text.split('; ')[0];
    return own === '' ? [] : own.split(', ').map(readOperation);
  });
  const operations = read.flat();
  const jobOffset = offsetsOf(read.map(({ length }) => length));
  const perJob = (pattern: RegExp, missing: number) =>
    Int32Array.from(all, (text) => Number(pattern.exec(text)?.[1] ?? missing));
  const column = (value: (operation: ReadOperation) => number) =>
    Int32Array.from(operations, value);
  return createInstance({
    name: 'read',
    machines,
    jobOffset,
    machine: column(({ choices }) => choices[0].machine),
    duration: column(({ choices }) => choices[0].duration),
    release: column(({ release }) => release),
    frozen: column(({ frozen }) => frozen),
    due: perJob(/; due (\d+)/, -1),
    weight: perJob(/, weight (\d+)/, 1),
    deadline: perJob(/; deadline (\d+)/, -1),
    calendar: createCalendar(machines, downtimes),
    modes: prompt.includes('divided by |') ? modesOf(operations) : null,
    setups: readSetups(lines, operations, machines),
    transport: readTransport(lines, machines),
    precedence: prompt.includes('after "after"') ? precedenceOf(read) : null,
    resources: readResources(lines, operations),
  });
}

function readOperation(text: string): ReadOperation {
  const pattern = /^(?:#\d+ )?(.*?)(?: f(\d+))?(?: after (.*?))?(?: @(\d+))?(?: =(\d+))?$/;
  const [, choices = '', family, after, release, frozen] = pattern.exec(text) ?? [];
  return {
    choices: choices.split(' | ').map((choice) => {
      const [, machine, duration, needs] = /^M(\d+) (\d+)(?: with (.*))?$/.exec(choice) ?? [];
      return {
        machine: Number(machine),
        duration: Number(duration),
        needs: (needs?.split(' and ') ?? []).map((need) => {
          const [, amount = '1', resource, setup] =
            /^(?:(\d+) )?R(\d+)( for setup)?$/.exec(need) ?? [];
          return { resource: +resource, amount: +amount, phase: setup === undefined ? 0 : 1 };
        }),
      };
    }),
    family: Number(family ?? -1),
    edges: (after?.split(' and ') ?? []).map((edge) => {
      const [, step, least = '0', most = '-1'] =
        /^#(\d+)(?: wait (\d+)(?: to (\d+))?)?$/.exec(edge) ?? [];
      return { step: Number(step) - 1, least: Number(least), most: Number(most) };
    }),
    release: Number(release ?? 0),
    frozen: Number(frozen ?? -1),
  };
}

function modesOf(operations: readonly ReadOperation[]) {
  const all = operations.flatMap(({ choices }) => choices);
  const offset = offsetsOf(operations.map(({ choices }) => choices.length));
  return {
    offset,
    machine: Int32Array.from(all, ({ machine }) => machine),
    duration: Int32Array.from(all, ({ duration }) => duration),
    chosen: offset.slice(0, -1),
  };
}

function precedenceOf(jobs: readonly (readonly ReadOperation[])[]): Precedence {
  const edges: { pred: number; least: number; most: number }[][] = [];
  let first = 0;
  for (const job of jobs) {
    for (const { edges: own } of job) {
      edges.push(own.map(({ step, ...lags }) => ({ pred: first + step, ...lags })));
    }
    first += job.length;
  }
  const all = edges.flat();
  return {
    offset: offsetsOf(edges.map(({ length }) => length)),
    pred: Int32Array.from(all, ({ pred }) => pred),
    minLag: Int32Array.from(all, ({ least }) => least),
    maxLag: Int32Array.from(all, ({ most }) => most),
  };
}

function readSetups(
  lines: readonly string[],
  operations: readonly ReadOperation[],
  machines: number,
): Setups | null {
  if (operations.every(({ family }) => family < 0)) return null;
  const families = Math.max(...operations.map(({ family }) => family)) + 1;
  const matrixOf = new Int32Array(machines).fill(-1);
  const anticipatory = new Uint8Array(machines).fill(1);
  const time: number[] = [];
  const first: number[] = [];
  let matrices = 0;
  lines.forEach((line, at) => {
    const late = /On (.*?) the setup begins only/.exec(line)?.[1] ?? '';
    for (const [, machine] of late.matchAll(/Machine(\d+)/g)) anticipatory[+machine] = 0;
    const [, names] = /^Setup times of (.*), the family before/.exec(line) ?? [];
    if (names === undefined) return;
    for (const [, machine] of names.matchAll(/Machine(\d+)/g)) matrixOf[+machine] = matrices;
    const columns = lines[at + 1].split(' ').map((name) => Number(name.slice(1)));
    const numbers = (row: string) => row.split(' ').slice(1).map(Number);
    const own = new Array<number>(families).fill(0);
    for (const [i, value] of numbers(lines[at + 2]).entries()) own[columns[i]] = value;
    const matrix = new Array<number>(families * families).fill(0);
    for (const [k, from] of columns.entries()) {
      for (const [i, value] of numbers(lines[at + 3 + k]).entries()) {
        matrix[from * families + columns[i]] = value;
      }
    }
    first.push(...own);
    time.push(...matrix);
    matrices++;
  });
  return {
    families,
    family: Int32Array.from(operations, ({ family }) => family),
    matrixOf,
    anticipatory,
    time: Int32Array.from(time),
    first: Int32Array.from(first),
  };
}

function readTransport(lines: readonly string[], machines: number) {
  const at = lines.findIndex((line) => line.startsWith('To bring a job'));
  if (at < 0) return null;
  const equal = /Between any two machines: (\d+)\./.exec(lines[at])?.[1];
  if (equal !== undefined) {
    const isSame = (i: number) => i % (machines + 1) === 0;
    const time = Int32Array.from({ length: machines ** 2 }, (_, i) => (isSame(i) ? 0 : +equal));
    return { time };
  }
  const rows = lines.slice(at + 2, at + 2 + machines);
  return { time: Int32Array.from(rows.flatMap((row) => row.split(' ').slice(1).map(Number))) };
}

function readResources(
  lines: readonly string[],
  operations: readonly ReadOperation[],
): Resources | null {
  const found = lines.flatMap((line) => {
    const [, usual, times] = /^R\d+: (\d+)(.*)$/.exec(line) ?? [];
    return usual === undefined ? [] : [{ usual: Number(usual), times }];
  });
  if (found.length === 0) return null;
  const times = found.map((one) =>
    Array.from(one.times.matchAll(/(\d+) from (\d+) to (\d+)/g), (match) => match.map(Number)),
  );
  const all = times.flat();
  const needs = operations.flatMap(({ choices }) => choices.map((choice) => choice.needs));
  const flat = needs.flat();
  return {
    count: found.length,
    capacity: Int32Array.from(found, ({ usual }) => usual),
    names: null,
    calendar:
      all.length === 0
        ? null
        : {
            offset: offsetsOf(times.map(({ length }) => length)),
            amount: Int32Array.from(all, ([, amount]) => amount),
            from: Int32Array.from(all, ([, , from]) => from),
            to: Int32Array.from(all, ([, , , to]) => to),
          },
    needOffset: offsetsOf(needs.map(({ length }) => length)),
    needResource: Int32Array.from(flat, ({ resource }) => resource),
    needAmount: Int32Array.from(flat, ({ amount }) => amount),
    needPhase: Uint8Array.from(flat, ({ phase }) => phase),
  };
}

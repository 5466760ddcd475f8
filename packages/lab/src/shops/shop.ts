// A shop in plain lists, for the oracles: what an instance says, one operation after the other. Operations are numbered
// over all jobs, job by job; times are whole numbers.

/** A need of a mode: so much of a resource while the operation works, or during its setup. */
export interface PlainNeed {
  resource: number;
  amount: number;
  phase: 'work' | 'setup';
}

/** A machine that can do an operation, and for how long. */
export interface PlainMode {
  machine: number;
  duration: number;
  needs: PlainNeed[];
}

/** A predecessor of an operation, and the least and the largest wait after the arrival from it. */
export interface PlainEdge {
  from: number;
  minLag: number;
  maxLag: number | null;
}

export interface PlainOperation {
  job: number;
  modes: PlainMode[];
  /** The mode that the instance has chosen, as a position in `modes`. */
  chosen: number;
  family: number;
  release: number;
  after: PlainEdge[];
  /** The start that it has already taken, in the chosen mode. */
  frozen: number | null;
}

interface PlainJob {
  due: number | null;
  weight: number;
  deadline: number | null;
}

/** Setup times of a machine, by family before and family after. */
export interface PlainSetups {
  time: number[][];
  first: number[];
  anticipatory: boolean;
}

export interface PlainDowntime {
  machine: number;
  from: number;
  to: number;
  resumable: boolean;
}

export interface PlainResource {
  capacity: number;
  /** Times with another capacity. */
  less: { from: number; to: number; amount: number }[];
}

/** A shop with everything that the model has. */
export interface PlainShop {
  machines: number;
  jobs: PlainJob[];
  operations: PlainOperation[];
  /** By machine; null where a machine needs none. */
  setups: (PlainSetups | null)[];
  /** From machine, to machine. */
  transport: number[][] | null;
  downtimes: PlainDowntime[];
  resources: PlainResource[];
}

/** What is planned: a start (null: not planned) and a mode for each operation. */
export interface PlainPlan {
  start: (number | null)[];
  mode: number[];
}

/** The mode of an operation in a plan. */
export function modeOf(shop: PlainShop, plan: PlainPlan, op: number): PlainMode {
  return shop.operations[op].modes[plan.mode[op]];
}

/** The time from the machine of one mode to that of another. */
export function wayBetween(shop: PlainShop, from: PlainMode, to: PlainMode): number {
  return shop.transport === null ? 0 : shop.transport[from.machine][to.machine];
}

/** A time by which a shop is done if its jobs are done one after the other once all downtimes are over. */
export function horizonOf(shop: PlainShop): number {
  const most = (numbers: number[]) => Math.max(0, ...numbers);
  const setup = most(
    shop.setups.flatMap((setups) =>
      setups === null ? [] : [...setups.time.flat(), ...setups.first],
    ),
  );
  const way = most(shop.transport?.flat() ?? []);
  const latest = most([
    ...shop.downtimes.map(({ to }) => to),
    ...shop.resources.flatMap(({ less }) => less.map(({ to }) => to)),
    ...shop.operations.map(({ release, frozen }) => Math.max(release, frozen ?? 0)),
  ]);
  const work = shop.operations.map(
    ({ modes, after }) =>
      most(modes.map(({ duration }) => duration)) +
      setup +
      way +
      most(after.map(({ minLag }) => minLag)),
  );
  return work.reduce((sum, each) => sum + each, latest);
}

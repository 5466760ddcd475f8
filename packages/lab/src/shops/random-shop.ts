// Random small shops: every feature alone, and mixed.
import { createRandom, type Random } from '@alas-jssp/core';
import type {
  PlainEdge,
  PlainMode,
  PlainNeed,
  PlainOperation,
  PlainResource,
  PlainSetups,
  PlainShop,
} from './shop.js';

/** What a shop may have beyond jobs, machines and durations. */
const FEATURES = [
  'alternatives',
  'setups',
  'transport',
  'waiting',
  'most-waiting',
  'graphs',
  'resources',
  'setup-resources',
  'downtimes',
  'releases',
  'due-dates',
  'deadlines',
] as const;
export type Feature = (typeof FEATURES)[number];

/** How large a shop may get. */
export interface ShopSize {
  jobs: number;
  machines: number;
  operations: number;
  duration: number;
}

export const SIZES = {
  /** Small enough for enumeration. */
  tiny: { jobs: 3, machines: 2, operations: 4, duration: 3 },
  small: { jobs: 4, machines: 3, operations: 10, duration: 9 },
  medium: { jobs: 6, machines: 5, operations: 24, duration: 20 },
} satisfies Record<string, ShopSize>;

/**
 * The features of a case: first none, then each alone, then all, then so many drawn at random; so every feature is
 * alone in one of fourteen cases.
 */
export function featuresOf(seed: number): Set<Feature> {
  const round = FEATURES.length + 6;
  const at = seed % round;
  if (at === 0) return new Set();
  if (at <= FEATURES.length) return alone(FEATURES[at - 1]);
  if (at === FEATURES.length + 1) return new Set(FEATURES);
  const random = createRandom(`features ${seed}`);
  const share = random.next();
  return new Set(FEATURES.filter(() => random.next() < share));
}

/** A feature with what it is nothing without. */
function alone(feature: Feature): Set<Feature> {
  return new Set(feature === 'setup-resources' ? ['setups', feature] : [feature]);
}

/** A random shop with features, the same for the same seed. */
export function randomShop(
  seed: number,
  features: ReadonlySet<Feature>,
  size: ShopSize,
): PlainShop {
  const random = createRandom(`shop ${seed}`);
  const has = (feature: Feature) => features.has(feature);
  const machines = random.integer(1, size.machines);
  const jobs = random.integer(1, size.jobs);
  const families = random.integer(1, 3);
  const { resources, setups } = means(random, features, { machines, families, size });
  const operations: PlainOperation[] = [];
  for (let job = 0; job < jobs; job++) {
    const most = Math.ceil((size.operations - operations.length) / (jobs - job));
    const first = operations.length;
    const count = random.integer(Math.min(1, most), most);
    for (let op = first; op < first + count; op++) {
      const modes = randomModes(random, features, { machines, size, resources });
      operations.push({
        job,
        modes,
        chosen: random.integer(0, modes.length - 1),
        family: has('setups') ? random.integer(0, families - 1) : 0,
        release: has('releases') && random.next() < 0.4 ? random.integer(0, 3 * size.duration) : 0,
        after: randomEdges(random, features, { first, op, size }),
        frozen: null,
      });
    }
  }
  const load = size.duration * (operations.length / machines + 2);
  const date = (least: number) => Math.round(load * (least + random.next()));
  return {
    machines,
    jobs: Array.from({ length: jobs }, () => ({
      due: has('due-dates') && random.next() < 0.8 ? date(0.1) : null,
      weight: has('due-dates') ? random.integer(0, 4) : 1,
      deadline: has('deadlines') && random.next() < 0.5 ? date(0.4) : null,
    })),
    operations,
    setups,
    transport: has('transport') ? randomTransport(random, machines, size) : null,
    downtimes: has('downtimes') ? randomDowntimes(random, machines, size) : [],
    resources,
  };
}

/** Resources and setups. */
function means(
  random: Random,
  features: ReadonlySet<Feature>,
  { machines, families, size }: { machines: number; families: number; size: ShopSize },
) {
  const needsResources = features.has('resources') || features.has('setup-resources');
  const resources: PlainResource[] = needsResources
    ? Array.from({ length: random.integer(1, 2) }, () => randomResource(random, size))
    : [];
  const setups: (PlainSetups | null)[] = Array.from({ length: machines }, () =>
    features.has('setups') && random.next() < 0.8 ? randomSetups(random, families, size) : null,
  );
  return { resources, setups };
}

function randomModes(
  random: Random,
  features: ReadonlySet<Feature>,
  { machines, size, resources }: { machines: number; size: ShopSize; resources: PlainResource[] },
): PlainMode[] {
  const count = features.has('alternatives') ? random.integer(1, Math.min(machines + 1, 4)) : 1;
  return Array.from({ length: count }, () => ({
    machine: random.integer(0, machines - 1),
    duration: random.next() < 0.1 ? 0 : random.integer(1, size.duration),
    needs: resources.flatMap((resource, index) =>
      (['work', 'setup'] as const).flatMap((phase): PlainNeed[] => {
        const isUsed = features.has(phase === 'work' ? 'resources' : 'setup-resources');
        if (!isUsed || resource.capacity === 0 || random.next() < 0.4) return [];
        return [{ resource: index, amount: random.integer(1, resource.capacity), phase }];
      }),
    ),
  }));
}

function randomEdges(
  random: Random,
  features: ReadonlySet<Feature>,
  { first, op, size }: { first: number; op: number; size: ShopSize },
): PlainEdge[] {
  const candidates = Array.from({ length: op - first }, (_, i) => first + i);
  const from = features.has('graphs')
    ? candidates.filter(() => random.next() < 0.5)
    : candidates.slice(-1);
  return from.map((before) => {
    const minLag =
      features.has('waiting') && random.next() < 0.5 ? random.integer(0, size.duration) : 0;
    const hasMost = features.has('most-waiting') && random.next() < 0.6;
    const slack = random.next() < 0.5 ? 0 : random.integer(0, size.duration);
    return { from: before, minLag, maxLag: hasMost ? minLag + slack : null };
  });
}

/** Not all of them obey the triangle inequality. */
function randomSetups(random: Random, families: number, { duration }: ShopSize): PlainSetups {
  const time = () => (random.next() < 0.3 ? 0 : random.integer(1, duration));
  const row = () => Array.from({ length: families }, time);
  return {
    time: Array.from({ length: families }, row),
    first: random.next() < 0.5 ? row() : new Array<number>(families).fill(0),
    anticipatory: random.next() < 0.6,
  };
}

function randomTransport(random: Random, machines: number, { duration }: ShopSize): number[][] {
  return Array.from({ length: machines }, (_, from) =>
    Array.from({ length: machines }, (__, to) =>
      from === to && random.next() < 0.8 ? 0 : random.integer(0, duration),
    ),
  );
}

function randomResource(random: Random, { duration }: ShopSize): PlainResource {
  const capacity = random.integer(1, 3);
  const spans = randomSpans(random, random.integer(0, 2), duration);
  return {
    capacity,
    less: spans.map(({ from, to }) => ({ from, to, amount: random.integer(0, capacity - 1) })),
  };
}

function randomDowntimes(random: Random, machines: number, { duration }: ShopSize) {
  return Array.from({ length: machines }, (_, machine) =>
    randomSpans(random, random.integer(0, 2), duration).map((span) => ({
      machine,
      ...span,
      resumable: random.next() < 0.5,
    })),
  ).flat();
}

/** Spans of time one after the other, some of them adjacent. */
function randomSpans(random: Random, count: number, duration: number) {
  let time = 0;
  return Array.from({ length: count }, () => {
    const from = time + random.integer(0, 2 * duration);
    time = from + random.integer(1, duration);
    return { from, to: time };
  });
}

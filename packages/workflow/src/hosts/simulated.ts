import type { Clock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { createRandom, type Random } from '@alas-jssp/core/random';
import type { Compensator, Handler, Registry, StepContext } from '../interpreter/registry.js';
import { createMemoryStore } from '../log/memory-store.js';
import type { AuditableLog, LogStore } from '../log/store.js';
import { createEventQueue, type EventQueue, type QueueProcess } from './event-queue.js';
import { NO_FAULTS, type SimulatedFaults } from './simulated-faults.js';

/** Options of a simulation. */
export interface SimulationOptions {
  /** The seed of all random events: the same seed gives the same simulation. */
  readonly seed: number | string;
  /** Default: no faults. */
  readonly faults?: Partial<SimulatedFaults> | undefined;
  /** Seconds after which there are no more faults, so that all runs can end. Default 600. */
  readonly calmAfter?: number | undefined;
  /** Default: a new one in memory. */
  readonly store?: AuditableLog | undefined;
  /** Default 30. */
  readonly leaseSeconds?: number | undefined;
}

/** A world with its own time, in which processes share a store and are killed at random. */
export interface RunSimulation {
  /** The time of the world; sleepers on this clock belong to no process. */
  readonly clock: Clock;
  /** The store itself, without faults. */
  readonly store: AuditableLog;
  /** The source of all randomness. */
  readonly random: Random;
  /** The faults so far, in order, each with its time. */
  readonly story: readonly string[];
  /**
   * Starts a process. When it is killed, or `main` fails, it is restarted after a while, as by a
   * supervisor, until `main` has ended.
   *
   * @returns the result of `main`, as soon as it is available
   */
  start<T>(name: string, main: (process: SimulatedProcess) => Promise<T>): { result?: T };
  /**
   * Advances time until no event is due.
   *
   * @throws AlasError `endless` if that never occurs
   */
  run(): Promise<void>;
}

/** A process of a simulation, from its start to its end. */
export interface SimulatedProcess {
  /** For `runWorkflow`, `resumeRun` and the others: the process's view of the world. */
  readonly options: {
    readonly clock: Clock;
    readonly owner: string;
    readonly leaseSeconds: number;
    isGone(owner: string): boolean;
  };
  readonly store: LogStore;
  /** A registry whose handlers and compensators are slow, fail or hang at random. */
  registry(registry: Registry): Registry;
  /** Ends it: its timers never fire, its answers are lost, its appends throw. */
  kill(): void;
}

interface Process extends SimulatedProcess, QueueProcess {
  readonly host: string;
  alive: boolean;
}

/** Seconds of simulated time after which a simulation counts as endless. */
const ENDLESS = 30 * 86_400;

/** Creates a simulation; it never reads the clock of the machine. */
export function createSimulation(options: SimulationOptions): RunSimulation {
  const { seed, calmAfter = 600, store = createMemoryStore(), leaseSeconds = 30 } = options;
  const faults = { ...NO_FAULTS, ...options.faults };
  const random = createRandom(seed);
  const queue = createEventQueue();
  const story: string[] = [];
  const processes: Process[] = [];
  const world: World = {
    faults,
    random,
    queue,
    store,
    leaseSeconds,
    processes,
    chance: (probability) =>
      probability > 0 && queue.now() < calmAfter * 1000 && random.next() < probability,
    upTo: (seconds) => random.next() * seconds * 1000,
    note: (text) => void story.push(`${(queue.now() / 1000).toFixed(3)} s: ${text}`),
  };

  const start: RunSimulation['start'] = (name, main) => {
    const end: Partial<Record<'result', never>> = {};
    const begin = (incarnation: number): void => {
      let begun = false;
      const again = () => {
        if (begun || 'result' in end) return;
        begun = true;
        const absence = 1 + world.upTo(faults.longestAbsence);
        queue.add(queue.now() + absence, undefined, () => begin(incarnation + 1));
      };
      const process = createProcess(world, `${name}/${incarnation}`, again);
      disturb(world, process, calmAfter);
      main(process).then(
        (result) => {
          if (process.alive) Object.assign(end, { result });
        },
        (error: Error) => {
          if (!process.alive) return;
          world.note(`${process.options.owner} fails: ${error.message}`);
          again();
        },
      );
    };
    begin(1);
    return end;
  };

  return {
    clock: queue.clockOf(undefined),
    store,
    random,
    story,
    start,
    run: async () => {
      while (await queue.next()) {
        if (queue.now() < ENDLESS * 1000) continue;
        throw new AlasError('endless', `after ${ENDLESS} s an event is still due`, story);
      }
    },
  };
}

interface World {
  readonly faults: SimulatedFaults;
  readonly random: Random;
  readonly queue: EventQueue;
  readonly store: AuditableLog;
  readonly leaseSeconds: number;
  readonly processes: Process[];
  chance(probability: number): boolean;
  /** A random time, in milliseconds. */
  upTo(seconds: number): number;
  note(text: string): void;
}

function createProcess(world: World, owner: string, onKill: () => void): Process {
  const { queue, processes, random, leaseSeconds } = world;
  const process: Process = {
    alive: true,
    pausedUntil: 0,
    clockOffset: 0,
    // Only owners on the same host see that a process has ended.
    host: `host ${random.integer(1, 2)}`,
    options: {
      owner,
      leaseSeconds,
      clock: undefined as never,
      isGone: (other) =>
        processes.some(
          ({ alive, host, options }) => options.owner === other && !alive && host === process.host,
        ),
    },
    store: undefined as never,
    registry: (registry) => simulatedRegistry(world, process, registry),
    kill: () => {
      if (!process.alive) return;
      process.alive = false;
      world.note(`${owner} is killed`);
      onKill();
    },
  };
  Object.assign(process.options, { clock: queue.clockOf(process) });
  Object.assign(process, { store: simulatedStore(world, process) });
  processes.push(process);
  return process;
}

/** Random kills, pauses and clock jumps. */
function disturb(world: World, process: Process, calmAfter: number): void {
  const { queue, random, faults } = world;
  const every = (mean: number, act: () => void): void => {
    if (mean === Number.POSITIVE_INFINITY) return;
    const at = queue.now() - Math.log(1 - random.next()) * mean * 1000;
    if (at >= calmAfter * 1000) return;
    queue.add(at, undefined, () => {
      if (!process.alive) return;
      act();
      every(mean, act);
    });
  };
  const { owner } = process.options;
  every(faults.killEvery, process.kill);
  every(faults.pauseEvery, () => {
    const pause = world.upTo(faults.longestPause);
    process.pausedUntil = queue.now() + pause;
    world.note(`${owner} pauses for ${Math.round(pause)} ms`);
  });
  every(faults.jumpEvery, () => {
    const jump = Math.round(world.upTo(2 * faults.longestJump) - faults.longestJump * 1000);
    process.clockOffset += jump;
    world.note(`the clock of ${owner} jumps by ${jump} ms`);
  });
}

/** The store as a process sees it. */
function simulatedStore(world: World, process: Process): LogStore {
  const { store, faults, queue } = world;
  const { owner } = process.options;
  const requireAlive = () => {
    if (!process.alive) throw new AlasError('killed', `${owner} was killed`, owner);
  };
  const die = () => {
    process.kill();
    requireAlive();
  };
  const faulty =
    <A extends unknown[], R>(name: string, act: (...given: A) => R) =>
    (...given: A): R => {
      requireAlive();
      if (world.chance(faults.killAtAppend / 2)) die();
      if (world.chance(faults.appendLost)) throw failed(world, owner, `${name} is lost`);
      const result = act(...given);
      if (world.chance(faults.killAtAppend / 2)) die();
      if (world.chance(faults.appendUnheard))
        throw failed(world, owner, `${name} was not acknowledged`);
      return result;
    };
  const alive =
    <A extends unknown[], R>(act: (...given: A) => R) =>
    (...given: A): R => {
      requireAlive();
      return act(...given);
    };
  return {
    ...store,
    append: faulty('an append', store.append),
    acquire: faulty('an acquisition', store.acquire),
    renew: alive(store.renew),
    release: alive(store.release),
    post: alive((message) => {
      if (world.chance(faults.doubleMessage)) store.post(message);
      return store.post(message);
    }),
    watch: (runId, onMessage) => {
      const note = () => {
        const delay = world.upTo(faults.longestTelling);
        queue.add(queue.now() + delay, process, onMessage);
      };
      return store.watch(runId, note);
    },
    close: () => {},
  };
}

function failed(world: World, owner: string, what: string): AlasError {
  world.note(`${what} for ${owner}`);
  return new AlasError('disk', `${what}: as simulated`, owner);
}

function simulatedRegistry(world: World, process: Process, registry: Registry): Registry {
  const map = <T>(of: Readonly<Record<string, T>> | undefined, wrap: (one: T) => T) =>
    Object.fromEntries(Object.entries(of ?? {}).map(([name, one]) => [name, wrap(one)]));
  return {
    ...registry,
    handlers: map(registry.handlers, (handler: Handler) => {
      // A pure handler makes no outside call: a replay calls it again.
      if (handler.kind === 'pure') return handler;
      const { run } = handler;
      return {
        ...handler,
        run: (input, context) => simulatedCall(world, process, context, () => run(input, context)),
      };
    }),
    compensators: map(registry.compensators, (compensator: Compensator) => ({
      ...compensator,
      run: (effect, context) =>
        simulatedCall(world, process, context, () => compensator.run(effect, context)),
    })),
  };
}

/** A call that takes its time before and after it acts, outside of its process. */
async function simulatedCall<T>(
  world: World,
  process: Process,
  { signal, nodeId }: StepContext,
  act: () => T | Promise<T>,
): Promise<T> {
  const { faults, queue } = world;
  const { owner } = process.options;
  const slow = world.chance(faults.slowCall);
  const deaf = world.chance(faults.deafCall);
  const time = () => (slow ? world.upTo(faults.longestCall / 2) : world.upTo(0.01));
  await queue.wait(time(), process, deaf ? undefined : signal);
  if (world.chance(faults.failingCall)) {
    throw new AlasError('Simulated', `${nodeId} fails: as simulated`, nodeId);
  }
  const answer = await act();
  if (world.chance(faults.hangingCall)) {
    world.note(`${nodeId} of ${owner} never answers`);
    await new Promise(() => {});
  }
  await queue.wait(time(), process, undefined);
  await queue.arrive(process);
  return answer;
}

import { canonicalJson } from '../../core/canonical-json.js';
import type { Clock } from '../../core/clock.js';
import { InputError } from '../../core/errors.js';
import { describeFound } from '../../core/json-path.js';
import type { Doubt, Remaining, RunStatus } from '../interpreter/entries.js';
import type { Maybe } from '../interpreter/host.js';
import type { Registry } from '../interpreter/registry.js';
import type { Workflow } from '../ir/workflow.js';
import { toWorkflow } from '../ir/workflow-file.js';
import type { LogStore } from '../log/store.js';
import type { FaultsSpec } from './faults.js';

/** Settings with which a run is run, again and again if need be. */
export interface RunOptions {
  readonly registry: Registry;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Cancels the run: what it did is undone, and that is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** Gives the run back as it is, for whoever goes on with it: it breaks off with `left`. */
  readonly leave?: AbortSignal | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Faults to inject. */
  readonly inject?: FaultsSpec | undefined;
  /**
   * Entries after which the state is written as a restore point, so that resuming folds no more than
   * these. Each holds all of the state: choose thousands for long runs. Default: none are written.
   */
  readonly snapshotEvery?: number | undefined;
  /** Approvals that are given beforehand: by whom, by name. */
  readonly approvals?: Readonly<Record<string, string>> | undefined;
  /** For how long a run belongs to this process without a sign of life of it. Default 30. */
  readonly leaseSeconds?: number | undefined;
  /**
   * The way to deal with a run that somebody else has. `wait` (default): until it is free or has
   * ended; `refuse`: throw.
   */
  readonly whenOwned?: 'wait' | 'refuse' | undefined;
  /** Wait for messages as long as it takes, instead of giving the run back as WAITING. Default false. */
  readonly stay?: boolean | undefined;
  /**
   * Forgets the turns of loops that are over, which the log has: a run that goes on for months then takes no more
   * memory than one that has just begun. Not with `snapshotEvery`. Default false.
   */
  readonly forgetful?: boolean | undefined;
  /**
   * Called before a run ends COMPENSATION_FAILED or IN_DOUBT, perhaps more than once: somebody must
   * look at it.
   */
  readonly onAlert?: ((alert: RunAlert) => Maybe<void>) | undefined;
  /** The name of the owner of the run. Default: `HOST/PID/NONCE`. */
  readonly owner?: string | undefined;
  /** Whether the process of an owner is known to have ended. Default: asks this host. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
}

/** A run that somebody must look at. */
export interface RunAlert {
  readonly runId: string;
  readonly status: RunStatus;
  readonly remaining: readonly Remaining[];
  readonly inDoubt: readonly Doubt[];
}

/** Options of a new run. */
export interface NewRunOptions extends RunOptions {
  readonly store: LogStore;
  /** Runs a workflow although the checker finds errors in it. */
  readonly unchecked?: boolean | undefined;
  /** Default: the name of the workflow and a number. */
  readonly runId?: string | undefined;
  /** The seed from which all randomness of the run derives. Default 0. */
  readonly seed?: number | undefined;
  /** Whether a run of that id, of the same workflow and input, is gone on with. Default true. */
  readonly attach?: boolean | undefined;
}

/** Options of undoing by hand. */
export interface CompensateOptions extends RunOptions {
  /** Only what that node did (and what runs inside it), after what builds on it. */
  readonly nodeId?: string | undefined;
  /** Undo what came after that node, and go on from there. */
  readonly backTo?: string | undefined;
  /** Also if the run has completed. */
  readonly evenCommitted?: boolean | undefined;
}

/** Workflows as runs take them, by what was given. */
const taken = new WeakMap<object, Workflow>();

/**
 * The workflow that was given, with what plain JSON leaves out.
 *
 * @throws InputError `bad_workflow`
 */
export function takeWorkflow(given: Workflow): Workflow {
  const known = typeof given === 'object' && given !== null ? taken.get(given) : undefined;
  if (known !== undefined) return known;
  const filled = toWorkflow(given);
  const workflow = canonicalJson(filled) === canonicalJson(given) ? given : filled;
  taken.set(given, workflow);
  taken.set(workflow, workflow);
  return workflow;
}

/**
 * Refuses what is no store, or no registry of handlers.
 *
 * @throws InputError `bad_option`
 */
export function requireWorld(store: LogStore | undefined, registry: Registry | undefined): void {
  const refuse = (name: string, hint: string, found: unknown) => {
    throw new InputError('bad_option', `${name}: ${describeFound(found)}`, hint, {}, found);
  };
  if (typeof store?.append !== 'function' || typeof store.read !== 'function') {
    refuse('store', 'give one, such as createMemoryStore() or openSqliteStore(file)', store);
  }
  if (typeof registry?.handlers !== 'object' || registry.handlers === null) {
    refuse('registry', 'give an object with handlers by name', registry);
  }
}

/** The numbers among the options: each from the smallest that makes sense. */
const LEAST = { leaseSeconds: 0.001, maxConcurrency: 1, snapshotEvery: 1 } as const;

/**
 * Refuses options with which no run could be run.
 *
 * @throws InputError `bad_option`
 */
export function requireRunOptions(
  options: Partial<
    Pick<NewRunOptions, keyof typeof LEAST | 'seed' | 'runId' | 'owner' | 'approvals'>
  >,
): void {
  const refuse = (name: string, found: unknown, hint: string) => {
    throw new InputError('bad_option', `${name}: ${describeFound(found)}`, hint, {}, found);
  };
  for (const [name, least] of Object.entries(LEAST)) {
    const value = options[name as keyof typeof LEAST];
    if (value !== undefined && !(typeof value === 'number' && value >= least)) {
      refuse(name, value, `give a number from ${least} on`);
    }
  }
  const { seed, runId, owner, approvals } = options;
  if (seed !== undefined && !Number.isFinite(seed)) refuse('seed', seed, 'give a number');
  for (const [name, text] of Object.entries({ runId, owner })) {
    if (text !== undefined && (typeof text !== 'string' || text === '')) {
      refuse(name, text, 'give a text');
    }
  }
  for (const [name, by] of Object.entries(approvals ?? {})) {
    if (typeof by !== 'string') refuse(`the approval ${name}`, by, 'give who approves');
  }
}

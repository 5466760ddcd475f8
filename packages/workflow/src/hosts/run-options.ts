import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Clock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { describeFound } from '@alas-jssp/core/json-path';
import type { Doubt, Remaining, RunStatus } from '../interpreter/entries.js';
import type { Maybe } from '../interpreter/host.js';
import type { Registry } from '../interpreter/registry.js';
import type { Workflow } from '../ir/workflow.js';
import { toWorkflow } from '../ir/workflow-file.js';
import type { LogStore } from '../log/store.js';
import type { FaultsSpec } from './faults.js';

/** Settings of a run; a resumed run takes them again. */
export interface RunOptions {
  readonly registry: Registry;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Cancels the run: waits until its effects are undone. */
  readonly signal?: AbortSignal | undefined;
  /** Releases the run as it is, for its next owner: it is interrupted with the code `left`. */
  readonly leave?: AbortSignal | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Faults to inject. */
  readonly inject?: FaultsSpec | undefined;
  /**
   * The number of entries between restore points, which bounds the entries that resuming must fold.
   * Each restore point holds the whole state: choose thousands for long runs. Default: none.
   */
  readonly snapshotEvery?: number | undefined;
  /** Approvals given in advance: the approver by name of the approval. */
  readonly approvals?: Readonly<Record<string, string>> | undefined;
  /** For how long a lease lasts without renewal. Default 30. */
  readonly leaseSeconds?: number | undefined;
  /**
   * The reaction to a run with another owner. `wait` (default): until it is free or has ended;
   * `refuse`: throw.
   */
  readonly whenOwned?: 'wait' | 'refuse' | undefined;
  /**
   * Waits for messages as long as it takes, instead of releasing the run as WAITING. Default false.
   */
  readonly stay?: boolean | undefined;
  /**
   * Drops the state of finished loop iterations, which the log holds: memory does not grow with a
   * run that lasts for months. Not with `snapshotEvery`. Default false.
   */
  readonly forgetful?: boolean | undefined;
  /**
   * Called before a run ends COMPENSATION_FAILED or IN_DOUBT, perhaps more than once: the run needs
   * a person.
   */
  readonly onAlert?: ((alert: RunAlert) => Maybe<void>) | undefined;
  /** The name of the owner of the run. Default: `HOST/PID/NONCE`. */
  readonly owner?: string | undefined;
  /** Whether the process of an owner is known to have ended. Default: asks this host. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
}

/** A run that needs a person. */
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
  /**
   * Whether an existing run of that id, of the same workflow and input, is resumed. Default true.
   */
  readonly attach?: boolean | undefined;
}

/** Options of a manual undo. */
export interface CompensateOptions extends RunOptions {
  /** Only the effects of that node (and of the nodes inside it), after those that build on it. */
  readonly nodeId?: string | undefined;
  /** Undo the effects after that node, and continue from there. */
  readonly backTo?: string | undefined;
  /** Undo a run even if it has completed. */
  readonly evenCommitted?: boolean | undefined;
}

/** Parsed workflows by the workflow that the caller gave. */
const taken = new WeakMap<object, Workflow>();

/**
 * The given workflow with defaults filled in.
 *
 * @throws InputError `bad_workflow`
 */
export function fillWorkflow(given: Workflow): Workflow {
  const known = typeof given === 'object' && given !== null ? taken.get(given) : undefined;
  if (known !== undefined) return known;
  const filled = toWorkflow(given);
  const workflow = canonicalJson(filled) === canonicalJson(given) ? given : filled;
  taken.set(given, workflow);
  taken.set(workflow, workflow);
  return workflow;
}

/**
 * Rejects arguments that are not a store or not a registry of handlers.
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

/** The numeric options, each with its smallest valid value. */
const LEAST = { leaseSeconds: 0.001, maxConcurrency: 1, snapshotEvery: 1 } as const;

/**
 * Rejects invalid options of a run.
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
    if (typeof by !== 'string') refuse(`the approval ${name}`, by, 'give the name of the approver');
  }
}

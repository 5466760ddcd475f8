import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import {
  cancelRun,
  compileGuard,
  type Guard,
  type Handler,
  type Json,
  type LogStore,
  type Registry,
  type Validator,
} from '@alas-jssp/workflow';
import { LlmError, type Usage } from 'alas-jssp/llm';
import { type AgentBudget, openAllowance } from '../models/allowance.js';
import type { Model } from '../models/model.js';

/** The reaction to a check that fails, or to a budget that is spent. */
export type SupervisorAction =
  /** The step fails; its policy decides what follows. */
  | 'fail'
  /** The run is cancelled, and its effects are undone. */
  | 'stop'
  /** A person is notified, and the run continues. */
  | 'escalate';

/** A condition on all outputs of a run, which is judged before each output is committed. */
export interface GlobalCheck {
  readonly name: string;
  /**
   * A boolean JSONata expression over `$outputs`, the outputs so far by path, including the new one. It is judged once
   * all nodes that it names have outputs.
   */
  readonly holds: string;
  readonly action: SupervisorAction;
}

/** A notice to a person. */
export interface SupervisorAlert {
  readonly action: SupervisorAction;
  /** The name of the check, or `budget`. */
  readonly name: string;
  readonly message: string;
  /** The path of the node; absent for a budget. */
  readonly node?: string;
}

/** Options of a supervisor: of one run. */
export interface SupervisorOptions {
  /** Limits of all models together. */
  readonly budget?: AgentBudget | undefined;
  /** The reaction to a spent budget. Default: `fail`. */
  readonly whenSpent?: SupervisorAction | undefined;
  readonly checks?: readonly GlobalCheck[] | undefined;
  /** Notifies a person of every alert. */
  readonly onAlert?: ((alert: SupervisorAlert) => void) | undefined;
  /** Cancels the run; see {@link cancelIn}. Required for the action `stop`. */
  readonly cancel?: ((reason: string) => void | Promise<void>) | undefined;
}

/** Supervises the agents of one run (ALAS, section 3.5). */
export interface Supervisor {
  /** The model, within the budget of all. */
  watch(model: Model): Model;
  /** The registry, with global checks; after a stop no handler begins. Undoing is never prevented. */
  guard(registry: Registry): Registry;
  /** Stops the run: it is cancelled, and its effects are undone. */
  stop(reason: string): Promise<void>;
  /** The reason of the stop; null if it is not stopped. */
  stopped(): string | null;
  /** The usage of all models. */
  spent(): Usage;
}

/**
 * Opens a supervisor.
 *
 * @throws InputError `bad_guard` for a check that is none; `no_cancel` if it may have to stop and cannot
 */
export function supervise(options: SupervisorOptions): Supervisor {
  const { budget = {}, whenSpent = 'fail', checks = [], onAlert, cancel } = options;
  requireCancel(options);
  const compiled = checks.map((check) => ({
    check,
    guard: compileGuard(check.holds, { variables: { outputs: true } }),
  }));
  const allowance = openAllowance(budget);
  let reason: string | null = null;

  const stop = async (why: string) => {
    if (reason !== null) return;
    reason = why;
    await cancel?.(why);
  };
  const react = async (alert: SupervisorAlert) => {
    onAlert?.(alert);
    if (alert.action === 'stop') await stop(`${alert.name}: ${alert.message}`);
  };
  const watch = (model: Model): Model => {
    const limited = allowance.limit(model);
    return {
      name: model.name,
      async ask(request, signal) {
        if (reason !== null) throw stoppedError(reason);
        try {
          return await limited.ask(request, signal);
        } catch (error) {
          if (error instanceof LlmError && error.code === 'BudgetSpent') {
            await react({ action: whenSpent, name: 'budget', message: errorLine(error) });
          }
          throw error;
        }
      },
    };
  };
  const judge: Validator = async ({ nodeId, value, committed }) => {
    const outputs = { ...committed, [nodeId]: value };
    for (const { check, guard } of compiled) {
      const fault = await faultOf(check, guard, outputs);
      if (fault === null) continue;
      const { action, name } = check;
      await react({ action, name, message: fault, node: nodeId });
      if (action !== 'escalate') return { outcome: 'reject', errors: [`${name}: ${fault}`] };
    }
    return { outcome: 'pass' };
  };
  return {
    watch,
    guard: (registry) =>
      guardRegistry(registry, compiled.length === 0 ? null : judge, () => reason),
    stop,
    stopped: () => reason,
    spent: allowance.spent,
  };
}

/** The function that cancels a run in a store, for `cancel` of a supervisor. */
export function cancelIn(store: LogStore, runId: string): (reason: string) => void {
  return (reason) => {
    cancelRun(store, runId, { by: 'supervisor', reason });
  };
}

function requireCancel({ cancel, checks = [], whenSpent }: SupervisorOptions): void {
  const stops = whenSpent === 'stop' || checks.some(({ action }) => action === 'stop');
  if (!stops || cancel !== undefined) return;
  throw new InputError(
    'no_cancel',
    'the supervisor may have to stop the run, and cannot cancel it',
    'give `cancel`, such as cancelIn(store, runId)',
  );
}

/** The fault of a check; null if it holds or cannot be judged yet. One that cannot be evaluated does not hold. */
async function faultOf(
  { holds }: GlobalCheck,
  { reads, evaluate }: Guard,
  outputs: Readonly<Record<string, Json>>,
): Promise<string | null> {
  if (reads.outputs !== 'all' && !reads.outputs.every((id) => Object.hasOwn(outputs, id))) {
    return null;
  }
  try {
    return (await evaluate({ outputs })) ? null : `${holds} does not hold`;
  } catch (error) {
    return `it cannot be evaluated: ${errorLine(error)}`;
  }
}

function guardRegistry(
  registry: Registry,
  check: Validator | null,
  stopped: () => string | null,
): Registry {
  const { handlers, validators = {} } = registry;
  const guarded = Object.entries(handlers).map(([name, handler]): [string, Handler] => [
    name,
    {
      ...handler,
      run(input, context) {
        const reason = stopped();
        if (reason !== null) throw stoppedError(reason);
        return handler.run(input, context);
      },
    },
  ]);
  const all = { ...registry, handlers: Object.fromEntries(guarded) };
  if (check === null) return all;
  // Nodes without a validator of their own are judged by that of their handler.
  const names = new Set([...Object.keys(handlers), ...Object.keys(validators)]);
  const checked = [...names].map((name): [string, Validator] => [
    name,
    Object.hasOwn(validators, name) ? both(validators[name], check) : check,
  ]);
  return { ...all, validators: Object.fromEntries(checked) };
}

/** A validator that also checks the value as the first one corrected it. */
function both(first: Validator, check: Validator): Validator {
  return async (judged) => {
    const verdict = await first(judged);
    if (verdict.outcome !== 'pass' && verdict.outcome !== 'augment') return verdict;
    const value = verdict.outcome === 'augment' ? verdict.value : judged.value;
    const { nodeId, input, slice, committed } = judged;
    const global = await check({ nodeId, input, slice, committed, value });
    return global.outcome === 'pass' ? verdict : global;
  };
}

function stoppedError(reason: string): AlasError {
  return new AlasError('Stopped', `the supervisor stopped the run: ${reason}`, reason);
}

import { isWithin } from '../log/slice.js';
import { runBody } from './body.js';
import { type Outcome, type Run, write } from './context.js';
import type { Datum } from './datum.js';
import { armDeadlines } from './deadlines.js';
import { codeOf, stopFailure } from './failures.js';
import { misfits, sayMisfits } from './fit.js';
import { evaluateGuard } from './guard.js';
import { awaitLate } from './late.js';
import type { Failure } from './payloads.js';
import { outputOf } from './references.js';
import { type RunResult, resultOf } from './result.js';
import { dependsOn, remainingWithin, statusOf } from './saga.js';
import { stopScope } from './scope.js';
import type { Stop } from './state.js';
import { undo } from './undo.js';

/** Means by which a run is steered from outside. */
interface Steering {
  readonly signal?: AbortSignal | undefined;
  readonly approvals?: Readonly<Record<string, string>> | undefined;
}

/**
 * Goes on with a run from wherever its state is: forward until it is done, waits or has failed, and
 * then, if it was not committed, back until nothing is left to undo.
 */
export async function drive(run: Run, { signal, approvals = {} }: Steering): Promise<RunResult> {
  const { state } = run;
  if (state.end !== undefined) return resultOf(run);
  for (const [name, by] of Object.entries(approvals)) {
    if (!state.approvals.has(name)) write(run, '', 'Approve', { name, by });
  }
  const onAbort = () => cancel(run, signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal?.aborted) onAbort();
    armDeadlines(run);
    if (state.stop === undefined) await goForward(run, await runBody(run, run.root));
    if (state.stop !== undefined) await goBack(run, state.stop);
    return resultOf(run);
  } catch (error) {
    // Whoever resumes the run in this process shall not meet its handlers.
    await awaitLate(run, () => true);
    // What broke the run off tells more than what followed from it.
    throw run.crash === undefined ? error : run.crash.error;
  } finally {
    run.ended?.abort();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Commits a body that is done, if its invariants hold; else tells why it is to be undone. */
async function goForward(run: Run, outcome: Outcome): Promise<void> {
  const { state } = run;
  let error: Failure | undefined;
  if (outcome.status === 'done') {
    error = unfitOutput(run, outcome.output) ?? (await brokenInvariant(run, outcome.output));
  }
  if (outcome.status === 'failed') error = outcome.failure;
  if (run.crash !== undefined) throw run.crash.error;
  // It may have been cancelled meanwhile.
  if (state.stop !== undefined || outcome.status === 'waiting') return;
  if (error !== undefined) return write(run, '', 'Trigger', { kind: 'failure', error });
  if (outcome.status !== 'done') return;
  write(run, '', 'EndRun', { status: 'COMPLETED', output: outcome.output.json() });
}

async function goBack(run: Run, { kind, error, within }: Stop): Promise<void> {
  const everything = () => true;
  const reached = (path: string) =>
    within === undefined || isWithin(path, within) || dependsOn(run.plan, path, within);
  await undo(run, kind, error, reached);
  const remaining = remainingWithin(run, kind, error, everything, reached);
  write(run, '', 'EndRun', { status: statusOf(run.state, kind, remaining), error, remaining });
}

/** Why the output of the whole run cannot be committed, if it does not fit its schema. */
function unfitOutput(run: Run, output: Datum): Failure | undefined {
  let errors: readonly string[];
  try {
    errors = misfits(run.checks, run.plan.workflow, 'output', output);
  } catch (error) {
    return stopFailure(codeOf(error), (error as Error).message);
  }
  if (errors.length === 0) return undefined;
  write(run, '', 'ValidateFail', { validator: 'io.output', outcome: 'reject', errors });
  return stopFailure('BadOutput', sayMisfits('output', errors));
}

async function brokenInvariant(run: Run, output: Datum): Promise<Failure | undefined> {
  const { nodes, invariants } = run.plan.workflow;
  const ids = invariants.some(({ holds }) => holds.includes('$outputs'))
    ? nodes.map(({ id }) => id)
    : [];
  const outputs = Object.fromEntries(
    ids.flatMap((id) => {
      const found = outputOf(run, run.root, id);
      return found === undefined ? [] : [[id, found.json()]];
    }),
  );
  for (const { name, holds } of invariants) {
    try {
      const bindings = { input: run.root.input.json(), output: output.json(), outputs };
      if (!(await evaluateGuard(holds, bindings))) {
        return stopFailure('Invariant', `the invariant ${name} does not hold`);
      }
    } catch (error) {
      return stopFailure(codeOf(error), (error as Error).message);
    }
  }
  return undefined;
}

function cancel(run: Run, reason: unknown): void {
  const { state, root } = run;
  if (state.end !== undefined || state.stop !== undefined) return;
  const text = reason instanceof Error ? reason.message : String(reason);
  try {
    write(run, '', 'Cancel', { reason: text });
  } catch {
    // The store has failed: the run breaks off with that error.
  }
  stopScope(root, stopFailure('Cancelled', text));
}

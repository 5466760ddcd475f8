import type { Fault, Maybe } from './host.js';
import { makeFailure } from './policies.js';
import { type Ended, type Step, write } from './run.js';
import { pause } from './waiting.js';

/** A step that a fault affects. */
type Target = Pick<Step, 'run' | 'scope' | 'plan' | 'path' | 'task'>;

/** Applies a fault in place of the handler, or to its answer. */
export async function callWithFault(
  step: Target,
  attempt: number,
  fault: Fault,
  call: () => Maybe<Ended>,
): Promise<Ended> {
  const { run, scope, plan, path } = step;
  const { rule } = fault;
  const { host } = run;
  const limit = plan.policy.timeout?.seconds;
  // Nothing was called: nothing is in doubt.
  const stoppedAfter = async (seconds: number, reason: string): Promise<Ended> => {
    const stopped = await pause(run, host.now() + seconds * 1000, scope.stops);
    return { status: 'stopped', failure: stopped ?? makeFailure('Timeout', reason, path, plan) };
  };
  write(run, path, 'Inject', { label: rule.label, kind: rule.kind, attempt });
  switch (rule.kind) {
    case 'failure': {
      const error = Object.assign(new Error(`injected by ${rule.label}`), { code: rule.code });
      return { status: 'error', error };
    }
    case 'timeout':
      return stoppedAfter(limit ?? 0, `injected by ${rule.label}`);
    case 'slow': {
      if (limit !== undefined && rule.seconds >= limit) {
        return stoppedAfter(limit, `took longer than ${limit} s`);
      }
      const stopped = await pause(run, host.now() + rule.seconds * 1000, scope.stops);
      return stopped === undefined ? call() : { status: 'stopped', failure: stopped };
    }
    case 'crash': {
      if (rule.when === 'after') await call();
      run.broken = { error: fault.crash() };
      throw run.broken.error;
    }
    default: {
      const ended = await call();
      return ended.status === 'value' ? await spoil(step, fault, ended) : ended;
    }
  }
}

/** Replaces the right output by a wrong one; the effect exists either way. */
async function spoil(
  { run, task }: Target,
  fault: Fault,
  ended: Extract<Ended, { status: 'value' }>,
): Promise<Ended> {
  try {
    const value = run.host.decode(task, 'output', await fault.spoil(ended.value.json()));
    return { ...ended, value };
  } catch (error) {
    return { status: 'error', error };
  }
}

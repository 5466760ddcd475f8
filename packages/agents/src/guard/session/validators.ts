import { AlasError } from '@alas-jssp/core/errors';
import { compileGuard, type Json, type LogStore } from '@alas-jssp/workflow';
import { compiledAt } from '../compiled-at.js';
import type { GuardPolicy, GuardValidator } from '../policy.js';
import { CALL_CODES, type CallCommand } from './commands.js';
import { callsInLog } from './session-log.js';

/** The validators of a policy, compiled. */
export interface CallValidators {
  /** @throws AlasError `Refused` */
  before(runId: string, command: CallCommand, input: Json): Promise<void>;
  /** @throws AlasError `Rejected`, `SessionRejected` */
  after(runId: string, command: CallCommand, input: Json, output: Json): Promise<void>;
  /** @throws AlasError `SessionRejected` */
  commit(runId: string): Promise<void>;
}

const SCOPE = {
  variables: { tool: true, server: true, input: true, output: true, call: true, calls: true },
} as const;

/**
 * Compiles the validators of a policy. One that cannot be evaluated has failed.
 *
 * @throws InputError `bad_guard` for an expression that is not allowed
 */
export function compileValidators({ validators }: GuardPolicy, store: LogStore): CallValidators {
  const compiled = validators.map((one, index) => ({
    ...one,
    guard: compiledAt(`$.validators[${index}].holds`, () => compileGuard(one.holds, SCOPE)),
  }));
  const check = async (
    when: GuardValidator['when'],
    runId: string,
    tool: string,
    values: Readonly<Record<string, Json>>,
  ) => {
    for (const one of compiled) {
      const isMeant = one.tools === undefined || when === 'commit' || one.tools.includes(tool);
      if (one.when !== when || !isMeant) continue;
      const calls = callsInLog(store, runId);
      const problem = await one.guard.evaluate({ tool, ...values, calls } as never).then(
        (isTrue) => (isTrue ? undefined : 'it does not hold'),
        (error: Error) => error.message,
      );
      if (problem === undefined) continue;
      const code =
        when === 'before'
          ? CALL_CODES.refused
          : when === 'after' && one.takesBack === 'call'
            ? CALL_CODES.rejected
            : CALL_CODES.rejectedSession;
      throw new AlasError(code, `the validator ${one.name} failed: ${problem}`);
    }
  };
  return {
    before: (runId, { call, tool, server }, input) =>
      check('before', runId, tool, { call, server, input, output: null }),
    after: (runId, { call, tool, server }, input, output) =>
      check('after', runId, tool, { call, server, input, output }),
    commit: (runId) => check('commit', runId, '', { input: null, output: null }),
  };
}

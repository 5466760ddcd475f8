import type { RefusalReason } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import { refusalOf } from './log-values.js';
import type { PlanMemory } from './plan-memory.js';
import type { PlanCommand, PlanKind, PlanState } from './plan-values.js';
import type { PlanPort } from './port.js';

/**
 * Applies the next command to a plan, or the next events given in advance if there is none. Invalid commands are
 * refused with a reason and change nothing.
 */
export function applyNextCommand<K extends PlanKind>(
  port: PlanPort<K>,
  memory: PlanMemory<K>,
  runId: string,
  state: PlanState,
  given: PlanCommand | undefined,
): K['Instant'] {
  const command = state.rest ?? given;
  const { version } = state;
  const plan = memory.versionOf(runId, version);
  const { by = null, role, key, digest } = command ?? {};
  const blank: K['Instant'] = {
    kind: 'nothing',
    version,
    now: state.now,
    events: [],
    skipped: [],
    by,
    ...port.blank,
    ...(role && { role }),
    ...(key && { key }),
    ...(digest && { digest }),
    changed: false,
  };
  const context = { memory, runId, state, plan };
  if (command === undefined) {
    if (state.left === 0) return blank;
    return port.applyGiven({ ...context, instant: { ...blank, kind: 'events' } });
  }
  if ('close' in command) return { ...blank, kind: 'close' };
  // In a plan with a clock, a command that was queued behind a proposal applies at the time by then.
  const { isClocked } = memory.baseOf(runId);
  const now = isClocked ? Math.max(command.now, state.now) : command.now;
  const instant: K['Instant'] = { ...blank, kind: kindOf(command), now };
  const refuse = (refusal: RefusalReason): K['Instant'] => {
    const refused = 'events' in command ? command.events : [command as unknown as Json];
    const skipped = refused.map((event) => ({ event, ...refusal }));
    const withdraws = 'withdraw' in command ? { version: command.withdraw, events: [] } : undefined;
    return { ...instant, now: state.now, skipped, ...(withdraws && { withdraws }) };
  };
  if (now < state.now) {
    const already = port.formatTime(plan, state.now);
    const reason = `it is ${already} already; give ${already} or later`;
    return refuse({ code: 'bad_now', facts: { last: state.now }, reason });
  }
  if ('undo' in command && command.undo >= version) {
    const reason = `there is nothing after version ${command.undo} to undo`;
    return refuse({ code: 'nothing_to_undo', facts: { version: command.undo }, reason });
  }
  try {
    return port.applyCommand(command, { ...context, instant });
  } catch (error) {
    return refuse(refusalOf(error));
  }
}

function kindOf(command: Exclude<PlanCommand, { close: true }>): 'undo' | 'propose' | 'events' {
  if ('undo' in command) return 'undo';
  return 'propose' in command ? 'propose' : 'events';
}

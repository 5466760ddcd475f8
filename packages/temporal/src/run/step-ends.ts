import {
  type Call,
  type CallAnswer,
  decodeLogged,
  type EncodedValue,
  type LostAnswer,
} from '@alas-jssp/workflow/interpreter';
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { codedValue } from './coded.js';
import {
  factsKey,
  LEFT,
  type OwnEntries,
  type RegistryFacts,
  type StepAnswer,
} from './protocol.js';

/** The answer of a worker. */
export function toAnswer(
  facts: RegistryFacts,
  call: Extract<Call, { kind: 'handler' | 'compensator' }>,
  { json, unfit, externalRef }: StepAnswer,
): CallAnswer {
  if (unfit !== undefined) return given(unfitValue(unfit));
  const { task } = call;
  const isCoded = call.kind === 'handler' && facts.tasks[factsKey(task)].output;
  const codec = { handler: task.handler ?? task.id, part: 'output' } as const;
  const value = isCoded ? codedValue(codec, json) : decodeLogged(json);
  return { ...given(value), externalRef: () => externalRef };
}

export function given(value: EncodedValue) {
  return { status: 'value', value } as const;
}

/** A value that no log can hold: it throws whenever it is read. */
function unfitValue({ code, message }: NonNullable<StepAnswer['unfit']>): EncodedValue {
  const refuse = () => {
    throw Object.assign(new Error(message), { code });
  };
  return { json: refuse, value: refuse, get: refuse };
}

/** Logs a handler's entries; invalid ones were rejected when the handler wrote them. */
export function logOwn(
  call: Extract<Call, { kind: 'handler' | 'compensator' }>,
  own: OwnEntries,
): void {
  for (const [eventType, payload] of own) {
    try {
      call.log(eventType, payload);
    } catch {
      // The run has ended meanwhile.
    }
  }
}

/** The lost answer of an attempt: its worker is shutting down, or was silent for too long. */
export function lostOf(error: unknown): LostAnswer | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof TimeoutFailure) return { status: 'lost', gone: false };
  const hasLeft = cause instanceof ApplicationFailure && cause.type === LEFT;
  return hasLeft ? { status: 'lost', gone: true } : undefined;
}

export function ownOf(error: unknown): OwnEntries {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? ((cause.details?.[0] ?? []) as OwnEntries) : [];
}

/** The error that a handler threw, as policies see it. */
export function toError(error: unknown): CallAnswer {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const { message } = cause as Error;
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'Error') : 'Cancelled';
  const said = cause instanceof ApplicationFailure ? cause.details?.[1] : undefined;
  return { status: 'error', error: Object.assign(new Error(message), { code }, said) };
}

import { isObject } from '@alas-jssp/core/json-path';
import type { EventType, LogEntry } from '@alas-jssp/workflow';
import type { LogTone } from './page-data.js';

/** The payload of an entry; another program may have written it. */
type Payload = Readonly<Record<string, unknown>>;

/** The payload of an entry as an object; an empty one if it is not an object. */
export function payloadOf({ payload }: Pick<LogEntry, 'payload'>): Payload {
  return isObject(payload) ? payload : {};
}

/** A part of a payload as text; undefined if it is neither text nor number. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The code and message of a failure. */
export function failureWords(error: unknown): string {
  if (!isObject(error)) return textOf(error) ?? 'no reason given';
  const [code, message] = [textOf(error.code), textOf(error.message)];
  return [code, message].filter((part) => part !== undefined).join(': ') || 'no reason given';
}

/** The author of an entry: a person, a handler, or the process that owns the run; null if unknown. */
export function actorOf(entry: LogEntry): string | null {
  const { by, handler, owner, compensator } = payloadOf(entry);
  return textOf(by) ?? textOf(handler) ?? textOf(owner) ?? textOf(compensator) ?? null;
}

const TONES: Partial<Record<EventType, LogTone>> = {
  EndNode: 'good',
  Approve: 'good',
  ValidatePass: 'good',
  RepairCommit: 'good',
  FailNode: 'bad',
  ValidateFail: 'bad',
  Timeout: 'bad',
  CompensateFail: 'bad',
  Cancel: 'bad',
  Deny: 'bad',
  Retry: 'again',
  Return: 'again',
  Resume: 'again',
  Compensate: 'undo',
  Compensated: 'undo',
  Trigger: 'undo',
  AwaitApproval: 'wait',
  AwaitMessage: 'wait',
};

/** The tone of an entry. */
export function toneOf({ eventType }: LogEntry): LogTone {
  return TONES[eventType] ?? 'plain';
}

const plural = (list: unknown, one: string) => {
  const count = Array.isArray(list) ? list.length : 0;
  return `${count} ${one}${count === 1 ? '' : 's'}`;
};

const WORDS: Partial<Record<EventType, (payload: Payload) => string>> = {
  StartRun: ({ seed, software }) => `the run begins (seed ${textOf(seed)}, ${textOf(software)})`,
  EndRun: ({ status, error }) =>
    `the run ends: ${textOf(status)}${error === undefined ? '' : `, ${failureWords(error)}`}`,
  Resume: ({ gone }) => `taken up again${gone === true ? '; its owner before is gone' : ''}`,
  Cancel: ({ reason }) => `cancelled: ${textOf(reason) ?? 'no reason given'}`,
  StartNode: ({ attempt }) =>
    attempt === undefined ? 'begins' : `attempt ${textOf(attempt)} begins`,
  EndNode: ({ cached }) => (cached === undefined ? 'done' : `done before, by ${textOf(cached)}`),
  FailNode: ({ error }) => `failed: ${failureWords(error)}`,
  SkipNode: () => 'skipped',
  Catch: ({ code, handler }) => `the failure ${textOf(code)} is caught by ${textOf(handler)}`,
  Return: ({ to, nodes }) => `back to ${textOf(to)}: ${plural(nodes, 'node')} restart`,
  Retry: ({ attempt, error, wait }) =>
    `attempt ${textOf(attempt)} failed (${failureWords(error)}); again after ${textOf(wait)} s`,
  Timeout: ({ attempt, seconds }) =>
    `attempt ${textOf(attempt)} had ${textOf(seconds) ?? '?'} s, and ran out of time`,
  Answer: ({ attempt }) => `attempt ${textOf(attempt)} answered too late`,
  Choose: ({ to }) =>
    textOf(to) === undefined ? 'no branch is taken' : `continues with ${textOf(to)}`,
  Iterate: ({ index, end }) =>
    `iteration ${textOf(index)}${end === undefined ? '' : `; the loop ends (${textOf(end)})`}`,
  Register: ({ effect, compensator }) =>
    `has an effect (${textOf(effect)})${textOf(compensator) === undefined ? '' : `, undone by ${textOf(compensator)}`}`,
  Trigger: ({ kind, error }) =>
    `undoing begins (${textOf(kind)}${error === undefined ? '' : `: ${failureWords(error)}`})`,
  Compensate: ({ attempt, compensator }) =>
    `is undone by ${textOf(compensator)}, attempt ${textOf(attempt)}`,
  Compensated: ({ remaining }) =>
    `undone${textOf(remaining) === undefined ? '' : `, but for: ${textOf(remaining)}`}`,
  CompensateFail: ({ attempt, error }) =>
    `undoing failed, attempt ${textOf(attempt)}: ${failureWords(error)}`,
  AwaitApproval: ({ name }) => `waits for the approval ${textOf(name)}`,
  AwaitMessage: ({ name }) => `waits for the message ${textOf(name)}`,
  Approve: ({ name }) => `${textOf(name)} is approved`,
  Deny: ({ name, reason }) => `${textOf(name)} is denied: ${textOf(reason)}`,
  Signal: ({ name }) => `the message ${textOf(name)} came`,
  Settle: ({ happened }) => `said to have ${happened === true ? '' : 'not '}happened`,
  ValidatePass: ({ validator }) => `accepted by ${textOf(validator)}`,
  ValidateFail: ({ validator, errors }) =>
    `refused by ${textOf(validator)}: ${plural(errors, 'error')}`,
  HandOver: ({ validator, outcome }) => `handed over: ${textOf(outcome)} (${textOf(validator)})`,
  Feedback: ({ attempt }) => `attempt ${textOf(attempt)} gets a report of the errors`,
  RepairStart: () => 'a repair begins',
  RepairApply: () => 'a repair changes the plan',
  RepairCommit: () => 'the repair is kept',
  Request: ({ request, model }) => `request ${textOf(request)} to ${textOf(model)}`,
  Response: ({ request, attempt, error }) =>
    `request ${textOf(request)}: attempt ${textOf(attempt)} ${error === undefined ? 'is answered' : 'fails'}`,
  Decide: ({ choice, rejected }) =>
    `decides: ${textOf(choice) ?? 'see the entry'} (${plural(rejected, 'alternative')} rejected)`,
  Bind: ({ role, agent, replaced }) =>
    `${textOf(role)} is bound to ${textOf(agent)}${textOf(replaced) === undefined ? '' : `, which replaces ${textOf(replaced)}`}`,
  Inject: ({ label, kind }) => `a fault is put in on purpose: ${textOf(kind)} (${textOf(label)})`,
  Snapshot: () => 'a restore point',
};

/** An entry in a few words. */
export function wordsOfLog(entry: LogEntry): string {
  return WORDS[entry.eventType]?.(payloadOf(entry)) ?? entry.eventType;
}

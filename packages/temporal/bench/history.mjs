// The activities in Temporal's own history of a run, and whether they are what the log of the run tells.

/**
 * An activity of a run: the kind of call, the node and the attempt that it was scheduled for, and how it ended.
 *
 * @typedef {{ kind: string, path: string, attempt: number, end: string, error?: string | undefined, key?: string,
 *   begun?: boolean }} CalledStep
 * `kind`: `handler` or `compensator`; `begun`: whether a worker took it, if it has ended
 */

const ENDS = {
  activityTaskCompletedEventAttributes: 'completed',
  activityTaskFailedEventAttributes: 'failed',
  activityTaskTimedOutEventAttributes: 'timed out',
  activityTaskCanceledEventAttributes: 'cancelled',
};

/**
 * The calls of handlers and compensators in a history.
 *
 * @param {(payloads: unknown) => Promise<any>} decode gives the first of payloads as a value
 * @param {readonly any[]} events
 * @returns {Promise<CalledStep[]>} in the order in which they were scheduled
 */
export async function calledSteps(decode, events) {
  const steps = new Map();
  for (const event of events) {
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    if (scheduled != null) {
      const { kind, path, attempt, key } = (await decode(scheduled.input)) ?? {};
      if (kind !== 'handler' && kind !== 'compensator') continue;
      steps.set(String(event.eventId), { kind, path, attempt, end: 'open', key });
    }
    for (const [name, end] of Object.entries(ENDS)) {
      const ended = event[name];
      const step = ended == null ? undefined : steps.get(String(ended.scheduledEventId));
      if (step === undefined) continue;
      step.end = end;
      step.begun = Number(ended.startedEventId ?? 0) > 0;
      const { applicationFailureInfo, cause } = ended.failure ?? {};
      const info = applicationFailureInfo ?? cause?.applicationFailureInfo;
      if (info?.type != null) step.error = info.type;
    }
  }
  return [...steps.values()];
}

/**
 * How the log of a run and the activities of its history depart: each attempt that the log tells of was scheduled
 * once and nothing else was, what the log calls done was completed, and what failed by itself failed there.
 *
 * @param {readonly { nodeId: string, eventType: string, payload: any }[]} entries
 * @param {readonly CalledStep[]} steps
 */
export function findDifferences(entries, steps) {
  const problems = [];
  const told = attemptsOf(entries);
  const left = [...steps];
  for (const { kind, path, attempt, end, error } of told) {
    const name = `${kind} ${path} #${attempt}`;
    const place = left.findIndex((step) => {
      return step.kind === kind && step.path === path && step.attempt === attempt;
    });
    if (place < 0) {
      problems.push(`Temporal's history has no ${name}`);
      continue;
    }
    const [step] = left.splice(place, 1);
    if (end === undefined || end === step.end) {
      if (end !== 'failed' || error === step.error) continue;
      problems.push(`${name} failed with ${step.error} in Temporal's history, not ${error}`);
      continue;
    }
    problems.push(`${name} is ${step.end} in Temporal's history, not ${end}`);
  }
  for (const { kind, path, attempt } of left) {
    problems.push(
      `Temporal's history has ${kind} ${path} #${attempt}, which the log does not have`,
    );
  }
  return problems;
}

/** Codes of failures that handlers do not give: their activities may have ended in any way, or not at all. */
const NOT_ITS_OWN = [
  ...['Timeout', 'Interrupted', 'Cancelled', 'CompensationFailed', 'BadInput', 'BadOutput'],
  ...['Rejected', 'Feedback', 'BadLogEntry', 'WaitTimeout', 'Denied', 'ClaimTimeout', 'Deadline'],
];

/** The attempts in a log, with how the activity of each must have ended where the log knows it. */
function attemptsOf(entries) {
  const attempts = [];
  const last = (kind, path) => {
    return attempts.findLast((one) => one.kind === kind && one.path === path);
  };
  const conclude = (kind, path, end, error) => {
    const attempt = last(kind, path);
    if (attempt === undefined || attempt.end !== undefined) return;
    attempt.end = end;
    attempt.error = error;
  };
  for (const { nodeId: path, eventType, payload } of entries) {
    if (eventType === 'StartNode' && payload.attempt !== undefined) {
      attempts.push({ kind: 'handler', path, attempt: payload.attempt });
    }
    if (eventType === 'Compensate') {
      attempts.push({ kind: 'compensator', path, attempt: payload.attempt });
    }
    if (eventType === 'Compensated') conclude('compensator', path, 'completed');
    if (eventType === 'EndNode' && payload.cached !== undefined) {
      attempts.splice(attempts.indexOf(last('handler', path)), 1);
    } else if (eventType === 'EndNode') conclude('handler', path, 'completed');
    if (eventType === 'Retry' || eventType === 'FailNode') {
      const { code } = payload.error;
      if (!NOT_ITS_OWN.includes(code)) conclude('handler', path, 'failed', code);
    }
  }
  return attempts;
}

/**
 * @typedef {{ id: number, previousEventId: number, type: string, details?: Record<string, any> }} HistoryEvent
 * An event of an execution, as `GetExecutionHistory` of Step Functions has it.
 *
 * @typedef {{ runId: string, step: string, item: string, path: string, attempt: number, kind: string, error?: string }} HistoryRow
 */

/** Names of rows by the kind of call: when it starts, has an answer, fails. */
const KINDS = {
  run: ['start', 'ok', 'error'],
  wait: ['wait', 'waited', 'wait-error'],
  approve: ['approve', 'approved', 'approve-error'],
  undo: ['compensate', 'compensated', 'compensate-error'],
};

const ENDS = ['TaskSucceeded', 'TaskFailed', 'TaskTimedOut', 'TaskStartFailed', 'TaskSubmitFailed'];

/**
 * Rows of the calls of handlers that the history of an execution tells of, in its order. An end that comes after
 * another end of the same call is left out: nobody waited for it any longer.
 *
 * @param {string} runId
 * @param {readonly HistoryEvent[]} events
 * @returns {HistoryRow[]}
 */
export function readHistory(runId, events) {
  const counts = new Map();
  const attempts = new Map();
  return stationsOf(events).map(({ call, type, error }) => {
    const { kind, path } = call;
    if (type === 'TaskScheduled') {
      const key = `${kind} ${path}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      attempts.set(call, counts.get(key));
    }
    const [step, item] = placeOf(path);
    const row = { runId, step, item, path, attempt: attempts.get(call) };
    const [start, ok, failed] = KINDS[kind];
    if (type === 'TaskScheduled') return { ...row, kind: start };
    if (type === 'TaskSucceeded') return { ...row, kind: ok };
    return { ...row, kind: failed, error: errorName(error) };
  });
}

/**
 * The outputs of handlers that the history of an execution tells of, by the path of the call: of several the last.
 *
 * @param {readonly HistoryEvent[]} events
 * @returns {Record<string, unknown>}
 */
export function readOutputs(events) {
  const done = stationsOf(events).filter(({ call, type }) => {
    return type === 'TaskSucceeded' && call.kind !== 'undo';
  });
  return Object.fromEntries(done.map(({ call, output }) => [call.path, output]));
}

/** The start and the end of each call, in the order of the history. */
function stationsOf(events) {
  const stations = [];
  const open = new Map();
  const ended = new Set();
  for (const { id, type, previousEventId, details } of events) {
    if (type === 'TaskScheduled') {
      const call = callOf(details);
      if (call === undefined) continue;
      open.set(id, call);
      stations.push({ call, type });
      continue;
    }
    const call = open.get(previousEventId);
    if (call === undefined) continue;
    if (!ENDS.includes(type)) {
      // Events of one call name each other, one after the other.
      open.set(id, call);
    } else if (!ended.has(call)) {
      ended.add(call);
      stations.push({ call, type, error: details?.error, output: outputOf(details) });
    }
  }
  return stations;
}

/** The answer to a call: the payload of a function, or what was sent with a token. */
function outputOf(details) {
  if (details?.output === undefined) return undefined;
  const output = JSON.parse(details.output);
  const isPayload = output?.ExecutedVersion !== undefined && 'Payload' in output;
  return isPayload ? output.Payload : output;
}

/** The call that a task was scheduled with; none if the task calls no handler of a converted machine. */
function callOf(details) {
  const call = JSON.parse(details?.parameters ?? '{}').Payload;
  return typeof call?.path === 'string' && call.kind in KINDS ? call : undefined;
}

/** The id at the end of a path, and its items, such as `pay` and `0.2` of `jobs[0]/parts[2]/pay`. */
function placeOf(path) {
  const items = [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => index);
  return [path.slice(path.lastIndexOf('/') + 1), items.join('.')];
}

/** A timeout has the name that it has in our workflows. */
function errorName(name) {
  return name === 'States.Timeout' ? 'Timeout' : (name ?? '');
}

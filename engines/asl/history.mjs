/**
 * @typedef {{ id: number, previousEventId: number, type: string, details?: Record<string, any> }} HistoryEvent
 * An event of an execution, as `GetExecutionHistory` of Step Functions has it.
 *
 * @typedef {{ runId: string, step: string, item: string, path: string, attempt: number, kind: string, error?: string }} HistoryRow
 */

/** Names of rows by the kind of call: when it starts, has an answer, fails. */
const KINDS = {
  run: ['start', 'ok', 'error'],
  wait: ['start', 'ok', 'error'],
  approve: ['start', 'ok', 'error'],
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
  const rows = [];
  const calls = new Map();
  const counts = new Map();
  for (const event of events) {
    const { id, type, previousEventId, details } = event;
    if (type === 'TaskScheduled') {
      const call = callOf(details);
      if (call === undefined) continue;
      const key = `${call.kind} ${call.path}`;
      const attempt = (counts.get(key) ?? 0) + 1;
      counts.set(key, attempt);
      const [step, item] = placeOf(call.path);
      const open = { call, row: { runId, step, item, path: call.path, attempt }, ended: false };
      calls.set(id, open);
      rows.push({ ...open.row, kind: KINDS[call.kind][0] });
      continue;
    }
    const open = calls.get(previousEventId);
    if (open === undefined) continue;
    // Events of one call name each other, one after the other.
    calls.set(id, open);
    if (!ENDS.includes(type) || open.ended) continue;
    open.ended = true;
    const [, ok, error] = KINDS[open.call.kind];
    if (type === 'TaskSucceeded') rows.push({ ...open.row, kind: ok });
    else rows.push({ ...open.row, kind: error, error: errorName(details?.error) });
    // What follows the end belongs to the states after it.
    calls.delete(id);
  }
  return rows;
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

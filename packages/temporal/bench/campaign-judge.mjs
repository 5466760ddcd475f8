// The judge of a campaign: nothing lost, nothing twice, and the same results as in threads.
import { isDeepStrictEqual } from 'node:util';
import { recordKey } from 'alas-jssp/harness';
import { followHistory } from '../dist/follow-history.js';

/**
 * What is wrong with the records of a campaign; empty if nothing is.
 *
 * @param {{ wanted: object[], found: object[], seen: Map<string, number>, ends: Map<number, number> }} campaign
 *   `wanted`: the records of threads; `seen`: how often each record came; `ends`: how often each task has ended in the
 *   histories of the server, by its number
 * @returns {string[]}
 */
export function judgeCampaign({ wanted, found, seen, ends }) {
  const problems = [];
  const byKey = new Map(found.map((record) => [recordKey(record), record]));
  if (byKey.size !== found.length)
    problems.push(`${found.length - byKey.size} records are doubled`);
  for (const [key, count] of seen) if (count > 1) problems.push(`${key} came ${count} times`);
  for (const [task, count] of ends)
    if (count > 1) problems.push(`task ${task} ended ${count} times on the server`);
  if (ends.size !== wanted.length)
    problems.push(`${ends.size} tasks ended on the server, not ${wanted.length}`);
  for (const record of wanted) {
    const key = recordKey(record);
    const other = byKey.get(key);
    byKey.delete(key);
    if (other === undefined) problems.push(`${key} is missing`);
    else if (!isDeepStrictEqual(untimed(other), untimed(record)))
      problems.push(`${key} is different`);
  }
  for (const key of byKey.keys()) problems.push(`${key} was not asked for`);
  return problems;
}

/** A record without what was measured: times, and which of the improvements a search came to report on its way. */
function untimed(record) {
  const isMeasured = (key) => key.includes('seconds') || key === 'improvements';
  return JSON.parse(JSON.stringify(record, (key, value) => (isMeasured(key) ? undefined : value)));
}

/**
 * The tasks of a server as its histories have them: how often each ended, the attempts, and the seconds that each worker
 * had one.
 *
 * @param {import('@temporalio/client').Client} client of a server with one run
 */
export async function readTasks(client) {
  const ends = new Map();
  const workers = new Map();
  const total = { workflows: 0, events: 0, bytes: 0, repeated: 0, seconds: 0 };
  for await (const { workflowId, runId, type } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const { historyLength, historySize } = await handle.describe();
    total.workflows += 1;
    total.events += historyLength;
    total.bytes += historySize ?? 0;
    if (type !== 'alasSlice') continue;
    for (const { task, attempt, identity, seconds } of await tasksOf(client, workflowId, runId)) {
      ends.set(task, (ends.get(task) ?? 0) + 1);
      const one = workers.get(identity) ?? { tasks: 0, seconds: 0 };
      workers.set(identity, { tasks: one.tasks + 1, seconds: one.seconds + seconds });
      total.repeated += attempt - 1;
      total.seconds += seconds;
    }
  }
  return { ends, workers, ...total };
}

/** The tasks that ended in a slice: the attempt that did, its worker, and how long that had the task. */
async function tasksOf(client, workflowId, runId) {
  const scheduled = new Map();
  const started = new Map();
  const tasks = [];
  for await (const events of followHistory(client, { workflowId, runId })) {
    for (const event of events) {
      const time = Number(event.eventTime.seconds) + event.eventTime.nanos / 1e9;
      const number = event.activityTaskScheduledEventAttributes?.activityId;
      if (number != null) scheduled.set(String(event.eventId), Number(number));
      const start = event.activityTaskStartedEventAttributes;
      if (start != null) started.set(String(event.eventId), { ...start, time });
      const end = event.activityTaskCompletedEventAttributes;
      if (end == null) continue;
      const { attempt, identity, time: from } = started.get(String(end.startedEventId));
      const task = scheduled.get(String(end.scheduledEventId));
      tasks.push({ task, attempt, identity: identity.split('@')[0], seconds: time - from });
    }
  }
  return tasks;
}

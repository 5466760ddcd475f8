import type { LogEntry } from '@alas-jssp/workflow';

/**
 * The entries of the log of a shop, to be compared with those of another host: without times, and sorted, since a
 * message is in the log as soon as it has come, before or after what is still being done.
 */
export function entryLines(entries: Iterable<LogEntry>): string[] {
  return [...entries]
    .filter(({ eventType }) => eventType !== 'StartRun')
    .map(({ eventType, nodeId, payload }) => `${nodeId} ${eventType} ${withoutTimes(payload)}`)
    .sort();
}

/** A payload with its keys in order, without the moments that differ from run to run. */
function withoutTimes(payload: LogEntry['payload']): string {
  return JSON.stringify(payload, (key, value) => {
    if (key === 'until' || key === 'sent') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

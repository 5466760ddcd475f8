/** A time in milliseconds since 1970 as an ISO 8601 string in UTC. */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== latest.time) {
    latest = { time: milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return latest.text;
}

/** Caches the last text, because logs request the same millisecond many times. */
let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' };

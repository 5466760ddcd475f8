/** Seconds since an arbitrary moment, monotonic: for measuring durations. */
export function monotonicSeconds(): number {
  return performance.now() / 1000;
}

/** The current date and time as an ISO 8601 string in UTC: for manifests and logs. */
export function timestamp(): string {
  return new Date().toISOString();
}

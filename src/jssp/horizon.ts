import type { Instance } from './instance.js';

/**
 * A time by which every semi-active schedule has ended: that of all work, one operation after the
 * other, once nothing waits for a release, a frozen start or the end of a downtime. From then on
 * some machine works until all is done.
 */
export function horizonOf({
  duration,
  release,
  frozen,
  calendar,
}: Pick<Instance, 'duration' | 'release' | 'frozen' | 'calendar'>): number {
  const latest = (times: Int32Array | undefined | null): number =>
    times?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
  const free = Math.max(latest(release), latest(frozen), latest(calendar?.to));
  return duration.reduce((sum, d) => sum + d, free);
}

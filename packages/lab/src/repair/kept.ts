// What benchmarks compute once and keep as files, and searches by processor time.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The JSON of a file; null if there is none. */
export function readKept<Value>(file: string): Value | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * The JSON of a file, which is computed and written first if it is not there. Of several processes that do so
 * at once the first one counts for all.
 */
export async function kept<Value>(
  file: string,
  compute: () => Value | Promise<Value>,
): Promise<Value> {
  const found = readKept<Value>(file);
  if (found !== null) return found;
  const result = await compute();
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(result));
  try {
    linkSync(unfinished, file);
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readKept<Value>(file) ?? result;
  } finally {
    rmSync(unfinished);
  }
}

/** Seconds of a processor that this process has had, all of its threads together. */
export function processorSeconds(since: NodeJS.CpuUsage) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

/**
 * Works with a signal that is aborted when this process has had so many seconds of a processor: what others
 * do on the machine does not matter.
 */
export async function withinProcessorTime<Value>(
  seconds: number,
  work: (signal: AbortSignal) => Value | Promise<Value>,
) {
  const controller = new AbortController();
  const began = process.cpuUsage();
  const timer = setInterval(() => {
    if (processorSeconds(began) >= seconds) controller.abort();
  }, 10);
  try {
    return await work(controller.signal);
  } finally {
    clearInterval(timer);
  }
}

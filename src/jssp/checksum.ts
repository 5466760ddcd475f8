import { createHash, type Hash } from 'node:crypto';
import type { Instance } from './instance.js';

const CHUNK = 1 << 16;

/**
 * SHA-256 of the canonical text of an instance, in lower-case hexadecimal: `"<n> <m>\n"`, then for each job `"machine
 * duration machine duration …\n"`, single spaces, machines from 0. Optional parts (releases, due dates, weights,
 * deadlines, frozen starts, downtimes) follow, one line each: the name and the numbers.
 */
export function instanceChecksum(instance: Instance): string {
  const hash = createHash('sha256');
  const { jobs, jobOffset, machine, duration, calendar } = instance;
  let text = `${jobs} ${instance.machines}\n`;
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      text += `${op === jobOffset[job] ? '' : ' '}${machine[op]} ${duration[op]}`;
    }
    text += '\n';
    if (text.length > CHUNK) {
      hash.update(text);
      text = '';
    }
  }
  hash.update(text);
  for (const key of ['release', 'due', 'weight', 'deadline', 'frozen'] as const) {
    updateLine(hash, key, instance[key]);
  }
  if (calendar !== null) {
    for (const key of ['offset', 'from', 'to', 'resumable'] as const) {
      updateLine(hash, `downtime ${key}`, calendar[key]);
    }
  }
  return hash.digest('hex');
}

function updateLine(hash: Hash, key: string, numbers: Int32Array | Uint8Array | null): void {
  if (numbers !== null) hash.update(`${key} ${numbers.join(' ')}\n`);
}

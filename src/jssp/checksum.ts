import { createTextHash, type TextHash } from '@alas-jssp/core/sha256';
import type { Instance } from './instance.js';
import type { Modes, Resources } from './shop-parts.js';

const CHUNK = 1 << 16;

/**
 * SHA-256 of the canonical text of an instance, in lower-case hexadecimal: `"<n> <m>\n"`, then for each job `"machine
 * duration machine duration …\n"`, single spaces, machines from 0. Optional parts (releases, due dates, weights,
 * deadlines, frozen starts, downtimes; modes, setups, transport, precedence, resources) follow, one line each: the name
 * and the numbers. With alternatives, each operation has the number of its modes and then their pairs of machine and
 * duration; the chosen ones count only for frozen operations. The needs of a mode are in the order of resources: files
 * and logs keep them in objects, whose order means nothing.
 */
export function instanceChecksum(instance: Instance): string {
  const hash = createTextHash();
  const { jobs, jobOffset, machine, duration, calendar, modes } = instance;
  let text = `${jobs} ${instance.machines}\n`;
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      const separator = op === jobOffset[job] ? '' : ' ';
      text +=
        separator + (modes === null ? `${machine[op]} ${duration[op]}` : modesText(modes, op));
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
  updateParts(hash, instance);
  return hash.digest();
}

function modesText({ offset, machine, duration }: Modes, op: number): string {
  const pairs = [];
  for (let mode = offset[op]; mode < offset[op + 1]; mode++) {
    pairs.push(`${machine[mode]} ${duration[mode]}`);
  }
  return `${pairs.length} ${pairs.join(' ')}`;
}

/** Adds the parts that a classic job shop does not have. */
function updateParts(hash: TextHash, instance: Instance): void {
  const { modes, frozen, setups, transport, precedence } = instance;
  const resources = instance.resources && inOrderOfResources(instance.resources);
  if (modes !== null && frozen !== null) {
    const taken = modes.chosen.map((mode, op) => (frozen[op] < 0 ? -1 : mode - modes.offset[op]));
    updateLine(hash, 'chosen', taken);
  }
  for (const [name, part] of Object.entries({ setups, transport, precedence, resources })) {
    for (const [key, numbers] of Object.entries({ ...part })) {
      if (numbers instanceof Int32Array || numbers instanceof Uint8Array) {
        updateLine(hash, `${name} ${key}`, numbers);
      }
    }
  }
  if (resources?.calendar) {
    for (const key of ['offset', 'from', 'to', 'amount'] as const) {
      updateLine(hash, `capacity ${key}`, resources.calendar[key]);
    }
  }
}

function inOrderOfResources(resources: Resources): Resources {
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const order = Int32Array.from(needResource.keys());
  for (let mode = 0; mode + 1 < needOffset.length; mode++) {
    order
      .subarray(needOffset[mode], needOffset[mode + 1])
      .sort((a, b) => needResource[a] - needResource[b] || needPhase[a] - needPhase[b] || a - b);
  }
  return {
    ...resources,
    needResource: order.map((need) => needResource[need]),
    needAmount: order.map((need) => needAmount[need]),
    needPhase: Uint8Array.from(order, (need) => needPhase[need]),
  };
}

function updateLine(hash: TextHash, key: string, numbers: Int32Array | Uint8Array | null): void {
  if (numbers !== null) hash.update(`${key} ${numbers.join(' ')}\n`);
}

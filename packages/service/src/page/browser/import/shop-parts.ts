import type { ImportAnswer } from '../../../api/import-schemas.js';
import { texts } from '../texts.js';

/** An operation of an imported instance, with one machine or several modes. */
export interface ImportedOperation {
  readonly machine?: string | number;
  readonly modes?: readonly { readonly machine: string | number }[];
  /** Its predecessors, if they are not the operation before it alone. */
  readonly after?: readonly unknown[];
}

/** The parts of an instance that only some shops have. */
interface ImportedParts {
  readonly jobs: readonly { readonly operations: readonly ImportedOperation[] }[];
  readonly resources?: readonly { readonly name?: string; readonly capacity?: number }[];
  readonly setups?: readonly { readonly machines?: readonly unknown[] }[];
  readonly families?: readonly unknown[];
  readonly transport?: unknown;
}

/** The machines that can do an operation: `Lathe 1 or Lathe 2`. */
export function machinesOf({ machine, modes }: ImportedOperation): string {
  const names = modes?.map((mode) => String(mode.machine)) ?? [String(machine)];
  return [...new Set(names)].join(texts.importing.or);
}

/** The alternatives, operators, setups, transport and predecessors that were read: a sentence each. */
export function partsOf({ instance }: ImportAnswer): string[] {
  const {
    jobs,
    resources = [],
    setups = [],
    families,
    transport,
  } = instance as unknown as ImportedParts;
  const words = texts.importing.parts;
  const operations = jobs.flatMap((job) => job.operations);
  const several = operations.filter(({ modes = [] }) => modes.length > 1).length;
  const lines = several === 0 ? [] : [words.alternatives(several)];
  if (resources.length > 0) {
    const named = resources.map(({ name, capacity = 1 }, i) => `${name ?? i + 1} (${capacity})`);
    lines.push(words.resources(named.join(', ')));
  }
  if (setups.length > 0) lines.push(words.setups(families?.length ?? 1));
  if (transport !== undefined) lines.push(words.transport);
  if (operations.some(({ after }) => after !== undefined)) lines.push(words.precedence);
  return lines;
}

import type { Budget } from '../core/stopping.js';
import { instanceChecksum } from '../jssp/checksum.js';
import type { Instance } from '../jssp/instance.js';
import type { KnownBound } from '../validator/index.js';
import type { Codec, Json } from '../workflow/index.js';

/** What a run of the pipeline is given, besides its workflow: all that its outcome depends on. */
export interface PipelineTask {
  readonly instance: Instance;
  /** The name of the planner. */
  readonly planner: string;
  readonly seed: number;
  /** Which of the plans for this instance this is to be, from 0. */
  readonly replicate: number;
  /** Null if nothing is repaired, or nothing is optimized. */
  readonly repairSeed: number | null;
  readonly optimizeSeed: number | null;
  readonly budget: Budget | null;
  readonly bound: KnownBound | null;
}

/** How a log refers to an instance: its content is not in it. */
export interface InstanceReference {
  readonly name: string;
  /** Checksum of its numbers, see {@link instanceChecksum}. */
  readonly sha256: string;
}

/** What is in the log of a task. */
export type LoggedTask = Omit<PipelineTask, 'instance'> & { readonly instance: InstanceReference };

/** Brings a task into JSON, and a task in JSON back to the one that it was made of. */
export function createTaskCodec(task: PipelineTask): Codec<PipelineTask> {
  return { encode: describeTask, decode: () => task };
}

/** A task as a log has it. */
export function describeTask({ instance, ...rest }: PipelineTask): Json {
  const { name } = instance;
  return { ...rest, instance: { name, sha256: instanceChecksum(instance) } } as unknown as Json;
}

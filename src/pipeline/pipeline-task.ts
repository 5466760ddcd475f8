import type { Budget } from '../core/stopping.js';
import { instanceChecksum } from '../jssp/checksum.js';
import type { Instance } from '../jssp/instance.js';
import type { KnownBound } from '../validator/index.js';

/** All that the outcome of a run depends on, besides its workflow and its instance. */
export interface PipelineTask {
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

/** The reference of a log to an instance: its content is not in it. */
export interface InstanceReference {
  readonly name: string;
  /** Checksum of its numbers, see {@link instanceChecksum}. */
  readonly sha256: string;
}

/** A task as the input of its workflow: as its log has it. */
export interface LoggedTask extends PipelineTask {
  readonly instance: InstanceReference;
}

/** Names an instance and its numbers. */
export function referTo(instance: Instance): InstanceReference {
  return { name: instance.name, sha256: instanceChecksum(instance) };
}

// A case of the matrix.
import type { Workflow } from '@alas-jssp/workflow';
import type { Part } from './expectation.js';
import type { Row } from './fault-script.js';

/** What a run must do; steps are named by their paths. */
export interface Expected {
  status: string;
  output?: unknown;
  /** The code of the error. */
  error?: string;
  /** Effects that stand though they should not. */
  remaining?: string[];
  inDoubt?: string[];
  trace: Part;
  /** Inputs of handlers. */
  inputs?: Record<string, unknown>;
  /** Outputs that compensators receive. */
  undoneOutputs?: Record<string, unknown>;
  /** Sizes of large inputs in bytes. */
  bytes?: Record<string, number>;
  /** Steps whose calls must have keys. */
  keyed?: string[];
}

export interface Case {
  /** The row of the matrix. */
  feature: string;
  title: string;
  workflow: Workflow;
  script: Row[];
  input?: unknown;
  /** Seconds after which the run is cancelled. */
  cancelAfter?: number;
  expect: Expected;
}

import type { TrialSystem } from '@alas-jssp/agents';
import type { DraftFinding } from '../drafting/part.js';
import type { UndoProof } from '../folder/draft-file.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import type { TrialStart } from './trial-input.js';

/** The trials of the undos of a template. */
export interface ProveUndosOptions
  extends Pick<RunnableDraft, 'specification' | 'template' | 'catalogue'> {
  /** Opens a new trial system, whose state is that at the beginning. */
  readonly openTrial: (seed: number) => TrialSystem | Promise<TrialSystem>;
  /** The seeds of trials; crashes are tried with the first one. Default: 0 and 1. */
  readonly seeds?: readonly number[] | undefined;
  /** The output of a node that is code, for the inputs of later ones; undefined: it is drawn from its schema. */
  readonly outputOfCode?: TrialStart['outputOfCode'];
  /** Keeps proofs between calls: an undo that did not change is not tried again. */
  readonly memory?: Map<string, ProvenUndo> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The proof of an undo, and the finding about it if it failed. */
export interface ProvenUndo {
  readonly proof: UndoProof;
  readonly finding?: DraftFinding | undefined;
}

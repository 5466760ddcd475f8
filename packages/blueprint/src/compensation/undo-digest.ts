import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import type { UndoProof } from '../folder/draft-file.js';
import type { Undo } from '../template/template.js';

/** SHA-256 of the strategy and the calls of an undo: equal for undos with equal trials at the same node. */
export function undoDigest({ strategy, sequence }: Undo): string {
  return sha256(canonicalJson({ strategy, sequence } as unknown as Json));
}

/** Whether a proof is of another undo of its node: it was changed after the trials. */
export function isProofOfOther(proof: UndoProof, undo: Undo): boolean {
  if (proof.digest === undefined) return proof.strategy !== undo.strategy;
  return proof.digest !== undoDigest(undo);
}

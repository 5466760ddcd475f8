import type { UndoProof } from '../folder/draft-file.js';
import type { Template, Undo } from '../template/template.js';
import { isProofOfOther } from './undo-digest.js';

/**
 * The template with the undos that were not proven left to people: their strategy is `escalate`, nothing is called, and
 * the node is held until it is approved. An undo that was changed after its trials is not proven. Nodes without proofs
 * do not change.
 */
export function escalateUndos(template: Template, proofs: readonly UndoProof[]): Template {
  const refusals = new Map(
    template.undo.flatMap((undo) => {
      const why = refusalOf(undo, proofs);
      return why === undefined ? [] : [[undo.node, why] as const];
    }),
  );
  if (refusals.size === 0) return template;
  return {
    ...template,
    undo: template.undo.map((undo) => {
      const why = refusals.get(undo.node);
      if (why === undefined) return undo;
      const reason = `${undo.reason} (its undo is not proven: ${why})`;
      return { ...undo, strategy: 'escalate', sequence: [], reason };
    }),
    nodes: template.nodes.map((node) => {
      if (!refusals.has(node.id)) return node;
      const { approval = `${node.id} although its undo is not proven` } = node.details;
      return { ...node, details: { ...node.details, approval } };
    }),
  };
}

const TRIED: readonly UndoProof['strategy'][] = ['undo', 'mitigate'];

/** The reason why an undo is left to people; undefined if it is proven, calls nothing, or has no proof. */
function refusalOf(undo: Undo, proofs: readonly UndoProof[]): string | undefined {
  const proof = proofs.find(({ node }) => node === undo.node);
  if (proof === undefined || !TRIED.includes(undo.strategy)) return undefined;
  if (isProofOfOther(proof, undo)) return 'it was changed after its trials';
  return proof.verdict === 'proven' ? undefined : (proof.counterexample ?? 'it was not tried');
}

import type { UndoProof } from '../folder/draft-file.js';
import type { Template } from '../template/template.js';

/**
 * The template with the undos that were not proven left to people: their strategy is `escalate`, nothing is called, and
 * the node is held until it is approved. Proofs of other undos change nothing.
 */
export function escalateUndos(template: Template, proofs: readonly UndoProof[]): Template {
  const refused = new Map(
    proofs
      .filter(({ verdict, strategy }) => verdict === 'escalated' && TRIED.includes(strategy))
      .map((proof) => [proof.node, proof]),
  );
  if (!template.undo.some((one) => isRefused(refused, one))) return template;
  return {
    ...template,
    undo: template.undo.map((undo) => {
      if (!isRefused(refused, undo)) return undo;
      const why = refused.get(undo.node)?.counterexample ?? 'it was not tried';
      const reason = `${undo.reason} (its undo is not proven: ${why})`;
      return { ...undo, strategy: 'escalate', sequence: [], reason };
    }),
    nodes: template.nodes.map((node) => {
      const undo = template.undo.find((one) => one.node === node.id);
      if (undo === undefined || !isRefused(refused, undo)) return node;
      const { approval = `${node.id} although its undo is not proven` } = node.details;
      return { ...node, details: { ...node.details, approval } };
    }),
  };
}

const TRIED: readonly UndoProof['strategy'][] = ['undo', 'mitigate'];

function isRefused(
  refused: ReadonlyMap<string, UndoProof>,
  { node, strategy }: Template['undo'][number],
): boolean {
  return refused.get(node)?.strategy === strategy;
}

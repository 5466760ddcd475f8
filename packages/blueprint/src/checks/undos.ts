import type { Tool } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { JsonSchema } from '@alas-jssp/workflow';
import { isProofOfOther } from '../compensation/undo-digest.js';
import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode, Undo } from '../template/template.js';
import { usableSchema } from '../template/tool-schemas.js';
import { draftError, draftWarning, listNames } from './finding.js';
import { checkMapping, schemaAt } from './inputs.js';
import type { DraftScope } from './scope.js';
import { checkRecords } from './undo-records.js';

/** Every effect has exactly one undo, which fits its tool; nothing else has one. */
export function checkUndos(scope: DraftScope): DraftFinding[] {
  return [
    ...checkEntries(scope),
    ...scope.effects.flatMap((node) => checkEffect(scope, node)),
    ...checkProofs(scope),
  ];
}

function checkEntries({ template, nodes, toolOf }: DraftScope): DraftFinding[] {
  const seen = new Set<string>();
  return template.undo.flatMap((undo) => {
    const part = `undo/${undo.node}`;
    const node = nodes.get(undo.node);
    if (seen.has(undo.node)) {
      const message = `${undo.node} has two undos`;
      return [draftError('undo_twice', part, ['node'], message, 'keep one')];
    }
    seen.add(undo.node);
    if (node === undefined) {
      const message = `there is no node ${undo.node}`;
      return [draftError('undo_of_unknown_node', part, ['node'], message, 'remove this undo')];
    }
    const tool = toolOf(node);
    if (node.work === 'tool' && (tool === undefined || tool.access !== 'read')) return [];
    const message = `${undo.node} changes nothing, and has an undo`;
    const hint = 'remove this undo';
    return [draftWarning('undo_of_no_effect', part, ['node'], message, hint)];
  });
}

function checkEffect(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const tool = scope.toolOf(node) as Tool;
  const undo = scope.undoOf(node.id);
  const part = `undo/${node.id}`;
  if (undo === undefined) {
    const message = `${node.id} changes something with ${tool.name}, and has no undo`;
    return [draftError('undo_missing', part, [], message, missingHint(tool))];
  }
  if (tool.access === 'irreversible') {
    if (undo.strategy === 'irreversible') return checkNothing(undo, part);
    const message = `${tool.name} cannot be undone, and the strategy is ${undo.strategy}`;
    const hint = 'give the strategy "irreversible", an empty sequence, and the reason';
    return [draftError('undo_impossible', part, ['strategy'], message, hint)];
  }
  if (undo.strategy === 'irreversible' && tool.inverse !== undefined) {
    const message = `${tool.name} can be undone by ${tool.inverse.tool}`;
    const hint = `give the strategy "undo" and the sequence ${JSON.stringify([tool.inverse])}`;
    return [draftError('undo_possible', part, ['strategy'], message, hint)];
  }
  if (undo.strategy === 'irreversible' || undo.strategy === 'escalate') {
    return checkNothing(undo, part);
  }
  return checkSequence(scope, node, tool, undo);
}

function missingHint({ access, inverse }: Tool): string {
  if (access === 'irreversible') return 'give the strategy "irreversible" with a reason';
  return inverse === undefined
    ? 'give the strategy "undo" and the calls that restore the state; or "mitigate", "escalate" or "irreversible" with a reason'
    : `give the strategy "undo" and the sequence ${JSON.stringify([inverse])}`;
}

/** Nothing is called for effects that nothing undoes. */
function checkNothing({ strategy, sequence }: Undo, part: string): DraftFinding[] {
  if (sequence.length === 0) return [];
  const message = `with the strategy ${strategy} nothing is called, and the sequence has ${sequence.length} calls`;
  const hint = 'empty the sequence, or give the strategy "undo" or "mitigate"';
  return [draftError('undo_needless', part, ['sequence'], message, hint)];
}

function checkSequence(
  scope: DraftScope,
  node: TemplateNode,
  tool: Tool,
  undo: Undo,
): DraftFinding[] {
  const part = `undo/${node.id}`;
  if (undo.sequence.length === 0) {
    const message = `the undo of ${node.id} does nothing`;
    return [draftError('undo_empty', part, ['sequence'], message, missingHint(tool))];
  }
  const faults = undo.sequence.flatMap((call, i) => checkCall(scope, tool, call, i, part));
  if (faults.length > 0 || undo.strategy !== 'undo') return faults;
  const { inverse } = tool;
  if (inverse !== undefined && canonicalJson(undo.sequence) !== canonicalJson([inverse])) {
    const message = `the owner of ${tool.name} declares another undo`;
    const hint = `give the sequence ${JSON.stringify([inverse])}, or the strategy "mitigate" if it shall not restore the state`;
    return [draftError('undo_not_inverse', part, ['sequence'], message, hint)];
  }
  return checkRecords(scope, node, tool, undo);
}

function checkCall(
  scope: DraftScope,
  done: Tool,
  call: Undo['sequence'][number],
  index: number,
  part: string,
): DraftFinding[] {
  const path = ['sequence', index];
  const tool = scope.tools.get(call.tool);
  const changing = scope.catalogue.tools.filter(({ access }) => access === 'change');
  if (tool === undefined) {
    const hint = `name one of ${listNames(changing.map(({ name }) => name))}`;
    const message = `there is no tool ${call.tool}`;
    return [draftError('undo_unknown_tool', part, [...path, 'tool'], message, hint)];
  }
  const findings: DraftFinding[] = [];
  if (tool.access === 'irreversible') {
    const message = `${tool.name} cannot be undone, and would be called by an undo, without an approval`;
    const hint = 'call tools that change something reversibly, or give the strategy "escalate"';
    findings.push(draftError('undo_irreversible_tool', part, [...path, 'tool'], message, hint));
  } else if (tool.access === 'read') {
    const message = `${tool.name} only reads: it undoes nothing`;
    const hint = `name a tool that changes something: ${listNames(changing.map(({ name }) => name))}`;
    findings.push(draftError('undo_reads', part, [...path, 'tool'], message, hint));
  } else if (!tool.idempotent) {
    const message = `${tool.name} is not idempotent, and an undo may run twice`;
    const hint = 'use an idempotent tool, or the strategy "escalate" or "irreversible"';
    findings.push(draftError('undo_not_idempotent', part, [...path, 'tool'], message, hint));
  }
  const schemaOf = (reference: string) => sourceSchema(done, reference);
  for (const [key, source] of Object.entries(call.input)) {
    if (typeof source !== 'string' || schemaOf(source) !== false) continue;
    const message = `${source} does not exist in an undo of ${done.name}`;
    const hint = `use one of ${listNames(sourcesOf(done))} or { "value": … }`;
    findings.push(draftError('undo_bad_source', part, [...path, 'input', key], message, hint));
  }
  return [
    ...findings,
    ...checkMapping({
      part,
      path: [...path, 'input'],
      mapping: call.input,
      tool,
      schemaOf,
      candidates: () => sourcesOf(done),
      code: 'undo_input',
    }),
  ];
}

/** The schema of a source of an undo; `false` if it does not exist. */
function sourceSchema(done: Tool, reference: string): JsonSchema {
  const [base, ...keys] = reference.split('.');
  if (reference === 'key') return { type: 'string' };
  if (base === 'input') return schemaAt(usableSchema(done.input), keys);
  if (base === 'output') return schemaAt(usableSchema(done.output), keys);
  return false;
}

function sourcesOf(done: Tool): readonly string[] {
  const keys = (schema: Tool['input']) => Object.keys((schema.properties as object) ?? {});
  return [
    ...keys(done.output).map((key) => `output.${key}`),
    ...keys(done.input).map((key) => `input.${key}`),
    'key',
  ];
}

/** After the trials every undo is proven; one that is not leaves its effect to people. */
function checkProofs({ undo: proofs, effects, undoOf }: DraftScope): DraftFinding[] {
  if (proofs === undefined) return [];
  return effects.flatMap(({ id }) => {
    const undo = undoOf(id);
    if (undo?.strategy !== 'undo' && undo?.strategy !== 'mitigate') return [];
    const part = `undo/${id}`;
    const proof = proofs.find((one) => one.node === id);
    if (proof === undefined || isProofOfOther(proof, undo)) {
      const message = `the undo of ${id} ${proof === undefined ? 'was not tried' : 'was changed after its trials'}`;
      const hint = 'let the factory try it: alas-jssp workflow draft --from DIR --change "…"';
      return [draftError('undo_not_tried', part, [], message, hint)];
    }
    if (proof.verdict === 'proven') return [];
    const message = `the undo of ${id} is not proven: ${proof.counterexample ?? 'nothing could be tried'}`;
    const hint = 'give a sequence that passes, or the strategy "escalate"';
    return [draftWarning('undo_escalated', part, ['sequence'], message, hint)];
  });
}

import type { Specification } from '../specification/specification.js';
import type { Template, TemplateNode } from '../template/template.js';
import { isReachedWithout, nodesAfter } from './paths.js';
import type { ExpectedApproval, ExpectedConstraint, ExpectedOrder, Sheet } from './sheet.js';

/** Expectations of one kind: those that the draft meets, and those that it misses, in words. */
export interface ScoredKind {
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

/** The result of comparing a draft with the answer sheet of its task. */
export interface DraftScore {
  readonly constraints: ScoredKind;
  readonly effects: ScoredKind;
  readonly irreversible: ScoredKind;
  readonly orders: ScoredKind;
  readonly approvals: ScoredKind;
  /** Percent of all expectations that the draft meets, 0 to 100. */
  readonly score: number;
}

/** Compares a draft with an answer sheet. No model takes part; ids of the draft do not matter. */
export function scoreDraft(
  specification: Specification,
  template: Template,
  sheet: Sheet,
): DraftScore {
  const kinds = {
    constraints: sort(
      sheet.constraints,
      ({ says }) => says,
      (expected) => hasConstraint(specification, template, expected),
    ),
    effects: sort(
      sheet.effects,
      ({ tool, strategies }) => `${tool}: ${strategies.join(' or ')}`,
      ({ tool, strategies }) =>
        everyCall(template, tool, ({ id }) =>
          template.undo.some(({ node, strategy }) => node === id && strategies.includes(strategy)),
        ),
    ),
    irreversible: sort(
      sheet.irreversible,
      (tool) => tool,
      (tool) => everyCall(template, tool, (node) => isSafelyIrreversible(template, node)),
    ),
    orders: sort(
      sheet.orders,
      ({ before, after }) => `${before} before ${after}`,
      (expected) => keepsOrder(template, expected),
    ),
    approvals: sort(
      sheet.approvals,
      ({ tool, approvers }) =>
        approvers === undefined ? tool : `${tool} by ${approvers.join(' or ')}`,
      (expected) => hasApproval(template, expected),
    ),
  };
  const found = Object.values(kinds).reduce((sum, kind) => sum + kind.found.length, 0);
  const missing = Object.values(kinds).reduce((sum, kind) => sum + kind.missing.length, 0);
  const all = found + missing;
  return { ...kinds, score: all === 0 ? 100 : (100 * found) / all };
}

function sort<T>(
  expected: readonly T[],
  describe: (one: T) => string,
  isMet: (one: T) => boolean,
): ScoredKind {
  const found: string[] = [];
  const missing: string[] = [];
  for (const one of expected) (isMet(one) ? found : missing).push(describe(one));
  return { found, missing };
}

function callsOf({ nodes }: Template, tool: string): readonly TemplateNode[] {
  return nodes.filter(({ details }) => details.tool === tool);
}

function everyCall(
  template: Template,
  tool: string,
  holds: (node: TemplateNode) => boolean,
): boolean {
  const calls = callsOf(template, tool);
  return calls.length > 0 && calls.every(holds);
}

/** A constraint from the sentence of the sheet that names its words, and is enforced where it must be. */
function hasConstraint(
  { constraints }: Specification,
  { constraintCoverage }: Template,
  { quote, words, enforced }: ExpectedConstraint,
): boolean {
  const sentence = plain(quote);
  return constraints.some(({ id, text, source }) => {
    const said = source === null ? '' : plain(source);
    const same = said !== '' && (sentence.includes(said) || said.includes(sentence));
    const stated = `${plain(text)} ${said}`;
    if (!same && words.length < 2) return false;
    if (!words.every((word) => stated.includes(plain(word)))) return false;
    if (!enforced) return true;
    const coverage = constraintCoverage.find(({ constraint }) => constraint === id);
    return coverage?.enforced.some(({ by }) => by !== 'nothing') ?? false;
  });
}

/** Declared irreversible, and either approved or followed by nothing that could fail. */
function isSafelyIrreversible(template: Template, { id, details }: TemplateNode): boolean {
  const { undo, nodes } = template;
  const declared = undo.some(({ node, strategy }) => node === id && strategy === 'irreversible');
  if (!declared) return false;
  if (details.approval !== undefined) return true;
  const later = nodesAfter(template, id);
  return nodes.every(({ id: other, work }) => work === 'choice' || !later.has(other));
}

function keepsOrder(template: Template, { before, after }: ExpectedOrder): boolean {
  const first = new Set(callsOf(template, before).map(({ id }) => id));
  return everyCall(template, after, ({ id }) => {
    return first.has(id) ? first.size > 0 : !isReachedWithout(template, id, first);
  });
}

function hasApproval(template: Template, { tool, approvers }: ExpectedApproval): boolean {
  return callsOf(template, tool).some(({ details }) => {
    if (details.approval === undefined) return false;
    if (approvers === undefined) return true;
    const named = details.approvers ?? [];
    return named.length > 0 && named.every((one) => approvers.includes(one));
  });
}

/** Text as it is compared: lower case, single spaces, without quotation marks. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/["“”‘’']/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

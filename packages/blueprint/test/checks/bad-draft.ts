import { checkDraft, type DraftFinding, type MutableDraft } from '@alas-jssp/blueprint';
import { refundDraft } from '../fixtures/refund.js';

/** The good draft of a refund with one change. */
export class BadDraft {
  readonly draft = structuredClone(refundDraft()) as MutableDraft;

  get template() {
    return this.draft.template;
  }
  get specification() {
    return this.draft.specification;
  }
  get catalogue() {
    return this.draft.catalogue;
  }
  node(id: string) {
    return found(this.template.nodes.find((one) => one.id === id));
  }
  details(id: string) {
    return this.node(id).details;
  }
  role(id: string) {
    return found(this.template.roles.find((one) => one.id === id));
  }
  tool(name: string) {
    return found(this.catalogue.tools.find((one) => one.name === name));
  }
  undo(node: string) {
    return found(this.template.undo.find((one) => one.node === node));
  }
  edge(from: string, to: string) {
    return found(this.template.edges.find((one) => one.from === from && one.to === to));
  }
  operation(id: string) {
    return found(this.specification.operations.find((one) => one.id === id));
  }
  coverage(constraint: string) {
    return found(this.template.constraintCoverage.find((one) => one.constraint === constraint));
  }
  disruption(id: string) {
    return found(this.template.disruptionCoverage.find((one) => one.disruption === id));
  }
  /** Puts a node between two others. */
  insert(node: MutableDraft['template']['nodes'][number], from: string, to: string) {
    this.template.nodes.push(node);
    this.edge(from, to).to = node.id;
    this.template.edges.push({ from: node.id, to, repairable: 'none' });
  }
  /** A node that computes, with the role of the clerk. */
  computing(id: string): MutableDraft['template']['nodes'][number] {
    const output = { type: 'object', properties: {}, additionalProperties: false };
    const details = { id, input: {}, output, sees: [], log: [] };
    return { id, work: 'compute', role: 'clerk', does: 'computes', operation: null, details };
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the fixture has changed');
  return value;
}

/** The findings of the draft after a change. */
export function findingsAfter(change: (bad: BadDraft) => void): readonly DraftFinding[] {
  const bad = new BadDraft();
  change(bad);
  return checkDraft(bad.draft);
}

/** The distinct codes of the errors of the draft after a change. */
export function codesAfter(change: (bad: BadDraft) => void): readonly string[] {
  const errors = findingsAfter(change).filter(({ severity }) => severity === 'error');
  return [...new Set(errors.map(({ code }) => code))].sort();
}

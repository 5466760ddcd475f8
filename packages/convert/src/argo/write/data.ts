import type { BodyPlan, Link, NodePlan } from '@alas-jssp/workflow/ir';
import { createFresh, exprText, lookUp, withLets } from '../expressions.js';

/** The task of a node within the DAG of its body. */
export interface TaskPlace {
  /** The name of the task. */
  readonly task: string;
  /** The task that undoes the node's effects before its failure is handled, if there is one. */
  readonly undo?: string | undefined;
  /** The global names under which steps within it report their errors. */
  readonly errors: readonly string[];
}

/** A body with the tasks of its nodes, by index. */
export interface PlacedBody {
  readonly plan: BodyPlan;
  readonly places: readonly TaskPlace[];
}

/** The input of the body whose template it is. */
const BODY_INPUT = 'fromJSON(inputs.parameters.input)';

function task({ places }: PlacedBody, index: number): string {
  return `tasks[${exprText(places[index].task)}]`;
}

function succeeded(body: PlacedBody, index: number): string {
  return `${task(body, index)}?.status == "Succeeded"`;
}

/** Whether a node failed: an expression. */
export function failed(body: PlacedBody, index: number): string {
  const at = task(body, index);
  return `(${at}?.status == "Failed" || ${at}?.status == "Error")`;
}

/** The output of a node that succeeded. */
function outputOf(body: PlacedBody, index: number): string {
  return `fromJSON(${task(body, index)}?.outputs?.parameters?.output ?? "null")`;
}

/**
 * The error of a failed node: the one it wrote, or a timeout, after which no process writes one.
 */
function errorOf(body: PlacedBody, index: number): string {
  const { errors } = body.places[index];
  const found = [
    `${task(body, index)}?.outputs?.parameters?.error`,
    ...errors.map((name) => `workflow?.outputs?.parameters?.[${exprText(name)}]`),
  ].map((one) => `fromJSON(${one} ?? "null")`);
  return `(${found.join(' ?? ')} ?? {"code": "Timeout", "message": "", "nodeId": ""})`;
}

/** Whether the failure of a node leads to a handler: the first rule that matches decides. */
export function caughtBy(body: PlacedBody, index: number, handler: string): string {
  const rules = body.plan.nodes[index].policy.catch ?? [];
  const matches = rules.map(({ errors }) => matchesCode(errorOf(body, index), errors));
  const ways = rules.flatMap((rule, k) => {
    if (rule.handler !== handler) return [];
    const earlier = matches.slice(0, k).map((one) => `!${one}`);
    return [earlier.length === 0 ? matches[k] : `(${[...earlier, matches[k]].join(' && ')})`];
  });
  return ways.length < 2 ? (ways[0] ?? 'false') : `(${ways.join(' || ')})`;
}

/** Whether the code of an error is one of a list. */
function matchesCode(error: string, codes: readonly string[]): string {
  if (codes.includes('*')) return 'true';
  return `(${codes.map((code) => `${error}.code == ${exprText(code)}`).join(' || ') || 'false'})`;
}

/** Whether a link was taken. */
export function argoTaken(body: PlacedBody, link: Link): string {
  const from = body.plan.nodes[link.from];
  if (link.kind === 'catch') {
    const { id } = body.plan.nodes[link.to].node;
    return `(${failed(body, link.from)} && ${caughtBy(body, link.from, id)})`;
  }
  if (link.kind === 'sequence' || from.node.type !== 'choice') return succeeded(body, link.from);
  const branch = `${task(body, link.from)}?.outputs?.parameters?.branch == ${exprText(`${link.edge}`)}`;
  return `(${succeeded(body, link.from)} && ${branch})`;
}

/** The input of a node of a body as an expression for its value. */
export function argoInput(body: PlacedBody, node: NodePlan): string {
  const { input: mapping } = node.node;
  if (typeof mapping === 'string' || Array.isArray(mapping)) return reference(body, mapping);
  if (mapping !== undefined) {
    const pairs = Object.entries(mapping as Record<string, string | string[]>);
    return `{${pairs.map(([key, one]) => `${exprText(key)}: ${reference(body, one)}`).join(', ')}}`;
  }
  const { into } = node;
  if (into.length === 0) return BODY_INPUT;
  if (into.length === 1) return handedOn(body, into[0]);
  const caught = into.filter(({ kind }) => kind === 'catch');
  const others = new Map<number, Link[]>();
  for (const link of into) {
    if (link.kind !== 'catch') others.set(link.from, [...(others.get(link.from) ?? []), link]);
  }
  const rows = [...others].map(([from, links]) => {
    const taken = links.map((link) => argoTaken(body, link)).join(' || ');
    return { id: body.plan.nodes[from].node.id, taken, value: outputOf(body, from) };
  });
  const failures = caught.map((link) => `${argoTaken(body, link)} ? ${handedOn(body, link)} : `);
  return `(${failures.join('')}${onlyOrAll(rows, BODY_INPUT)})`;
}

/** The value that a taken link carries. */
function handedOn(body: PlacedBody, { from, kind }: Link): string {
  if (kind !== 'catch') return outputOf(body, from);
  const input = argoInput(body, body.plan.nodes[from]);
  return `{"error": ${errorOf(body, from)}, "input": ${input}}`;
}

/** The output of a body: by its reference, else that of its only last node that ran, or of all. */
export function argoOutput(body: PlacedBody): string {
  const { plan } = body;
  const { output } = plan.body;
  if (output !== undefined) return reference(body, output);
  const last = plan.nodes.filter(({ out }) => out.every(({ kind }) => kind === 'catch'));
  if (last.length === 1 && last[0].into.every(({ kind }) => kind === 'sequence')) {
    return outputOf(body, last[0].index);
  }
  const rows = last.map(({ node, index }) => {
    return { id: node.id, taken: succeeded(body, index), value: outputOf(body, index) };
  });
  return onlyOrAll(rows, 'nil');
}

interface Row {
  readonly id: string;
  readonly taken: string;
  readonly value: string;
}

/** The only existing value of several, or all by id. */
function onlyOrAll(rows: readonly Row[], none: string): string {
  if (rows.length === 0) return none;
  const list = rows
    .map(({ id, taken, value }) => `[${exprText(id)}, ${taken}, ${value}]`)
    .join(', ');
  const all = 'fromPairs(map(there, [#[0], #[2]]))';
  return `(let there = filter([${list}], #[1]); len(there) == 0 ? ${none} : len(there) == 1 ? there[0][2] : ${all})`;
}

/** Resolves `input.a.b` or `outputs.ID.a.b`; of a list, the first that exists. */
function reference(body: PlacedBody, references: string | readonly string[]): string {
  const fresh = createFresh();
  const lets: string[] = [];
  let result = 'nil';
  const list = typeof references === 'string' ? [references] : references;
  for (const one of [...list].reverse()) {
    const [root, ...keys] = one.split('.');
    let start = BODY_INPUT;
    let there = 'true';
    if (root === 'outputs') {
      const from = body.plan.byId.get(keys.shift() ?? '');
      if (from === undefined) continue;
      start = outputOf(body, from.index);
      there = succeeded(body, from.index);
    }
    const found = lookUp(start, keys, fresh, 'number');
    lets.push(...found.lets);
    const present = [there, found.present].filter((part) => part !== 'true').join(' && ');
    // A missing value is null in any case.
    result =
      present === '' || result === 'nil'
        ? found.value
        : `(${present} ? ${found.value} : ${result})`;
  }
  return withLets(lets, result);
}

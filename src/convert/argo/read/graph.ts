import { InputError } from '../../../core/errors.js';
import type { Body, Edge, Node } from '../../../workflow/ir/workflow.js';
import type { ArgoCall, Template } from '../document.js';
import { createArgoNames } from '../names.js';
import { asksItem, readCore } from './calls.js';
import { clausesOf, conditionOf, type DependsClause, type ReadCondition } from './conditions.js';
import {
  type ForeignDocument,
  type ForeignScope,
  joint,
  type KnownTask,
  resolverOf,
  take,
} from './foreign-document.js';
import { resolveValue } from './values.js';

/** A task or a step, as nodes of a graph. */
interface Unit {
  readonly call: ArgoCall;
  /** The node into which ways lead, the one that does the work, and the one after both. */
  readonly entry: string;
  readonly id: string;
  readonly exit: string;
}

/** A graph that is being read. */
interface GraphDraft {
  readonly nodes: Node[];
  readonly edges: Edge[];
  readonly units: Map<string, Unit>;
  /** Nodes that may not run though all goes well. */
  readonly optional: Set<string>;
}

/** Reads a DAG, or steps, as a graph. */
export function readGraph(foreign: ForeignDocument, template: Template, scope: ForeignScope): Body {
  const draft: GraphDraft = { nodes: [], edges: [], units: new Map(), optional: new Set() };
  const names = createArgoNames();
  const known = new Map<string, KnownTask>();
  const groups = template.steps ?? [sorted(template.dag?.tasks ?? [], foreign.file)];
  let before: DependsClause[] = [];
  for (const group of groups) {
    for (const call of group) {
      const clauses = template.steps === undefined ? dependsOf(call, foreign.file) : before;
      addUnit(foreign, draft, { call, clauses, scope, names, known });
    }
    before = group.map(({ name, continueOn }) => {
      const goesOn = continueOn?.failed === true || continueOn?.error === true;
      return { tasks: [name], ends: goesOn ? ['settled', 'failed'] : ['settled'] };
    });
  }
  const output = outputOf(foreign, template, scope, known);
  const { nodes, edges } = draft;
  return { nodes, edges, ...(output !== undefined && { output }) };
}

function dependsOf(
  { depends, dependencies = [] }: ArgoCall,
  file: string | undefined,
): DependsClause[] {
  if (depends !== undefined && depends !== '') return clausesOf(depends, file);
  return dependencies.map((task) => ({ tasks: [task], ends: ['settled'] }));
}

/** Tasks in an order in which each comes after those on which it depends. */
function sorted(tasks: readonly ArgoCall[], file: string | undefined): ArgoCall[] {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const done = new Set<string>();
  const order: ArgoCall[] = [];
  const visit = (task: ArgoCall, way: readonly string[]): void => {
    if (done.has(task.name)) return;
    const refuse = (problem: string) =>
      new InputError('bad_argo', problem, 'see argo lint', { file });
    if (way.includes(task.name)) {
      throw refuse(`tasks wait for each other: ${[...way, task.name].join(' → ')}`);
    }
    for (const name of dependsOf(task, file).flatMap(({ tasks: names }) => names)) {
      const other = byName.get(name);
      if (other === undefined) throw refuse(`${task.name} depends on ${name}, which is not there`);
      visit(other, [...way, task.name]);
    }
    done.add(task.name);
    order.push(task);
  };
  for (const task of tasks) visit(task, []);
  return order;
}

interface UnitPlace {
  readonly call: ArgoCall;
  readonly clauses: readonly DependsClause[];
  readonly scope: ForeignScope;
  readonly names: ReturnType<typeof createArgoNames>;
  readonly known: Map<string, KnownTask>;
}

function addUnit(foreign: ForeignDocument, draft: GraphDraft, place: UnitPlace): void {
  const { call, clauses, scope, names, known } = place;
  const id = names.take(call.name);
  const at = scope.place === '' ? id : `${scope.place}/${id}`;
  if (call.hooks !== undefined || call.onExit !== undefined) {
    take(foreign, 'annotations', at, 'unsupported', 'hooks of a step are not read');
  }
  const condition = conditionBefore(foreign, place);
  const never = condition?.guard === 'false';
  const core = never ? skipped(id) : readCore(foreign, call, id, { ...scope, place: at }, known);
  let unit: Unit = { call, entry: id, id, exit: id };
  draft.nodes.push(core.node, ...core.after);
  draft.edges.push(...core.edges);
  if (core.exit !== id) unit = { ...unit, exit: core.exit };
  known.set(call.name, core.known);
  if (condition !== undefined && !never && condition.guard !== 'true') {
    unit = addCondition(draft, condition, names, unit);
  }
  draft.units.set(call.name, unit);
  for (const clause of clauses) {
    const conditional = clause.tasks.map((task) =>
      addWays(foreign, draft, clause, task, unit, place),
    );
    if (!conditional.includes(true)) continue;
    if (clauses.length > 1) {
      throw new InputError(
        'unsupported_depends',
        `${at} waits for several tasks of which one may not run: a node runs as soon as one way led to it`,
        'depend on what always comes to an end',
        { file: foreign.file },
      );
    }
    draft.optional.add(unit.entry).add(unit.id).add(unit.exit);
  }
}

/** The condition on which a step runs; undefined without one, and where each item has its own. */
function conditionBefore(
  { file }: ForeignDocument,
  { call, scope, known }: UnitPlace,
): ReadCondition | undefined {
  const { when } = call;
  if (when === undefined || when === '' || asksItem(call)) return undefined;
  return conditionOf(when, resolverOf(scope, known), file);
}

/** A step that never runs, such as what an exit handler does after another end. */
function skipped(id: string): ReturnType<typeof readCore> {
  const known = { output: `outputs.${id}`, outputs: 'branches' } as const;
  return { node: joint(id), after: [], edges: [], exit: id, known };
}

/** Asks before a step whether it is to run; both ways meet after it. */
function addCondition(
  draft: GraphDraft,
  { guard, input }: ReadCondition,
  names: UnitPlace['names'],
  unit: Unit,
): Unit {
  const entry = names.take(`${unit.id}-when`);
  const exit = names.take(`${unit.id}-done`);
  const asked = Object.keys(input).length > 0 ? { input } : {};
  draft.nodes.push({ id: entry, type: 'choice', ...asked } as unknown as Node);
  draft.nodes.push(joint(exit));
  draft.edges.push({ from: entry, to: unit.id, kind: 'branch', guard } as Edge);
  draft.edges.push({ from: entry, to: exit, kind: 'default' } as Edge);
  draft.edges.push(way(unit.exit, exit));
  draft.optional.add(unit.id);
  return { ...unit, entry, exit };
}

/** Adds the ways from a task to one that depends on it; tells whether they may not be taken. */
function addWays(
  foreign: ForeignDocument,
  draft: GraphDraft,
  { tasks, ends }: DependsClause,
  task: string,
  unit: Unit,
  { scope, names }: UnitPlace,
): boolean {
  const from = draft.units.get(task);
  if (from === undefined) {
    throw new InputError('bad_argo', `there is no task ${task}`, 'see argo lint', {
      file: foreign.file,
    });
  }
  const optional = (id: string) => draft.optional.has(id);
  if (tasks.length > 1 && (ends.includes('failed') || !optional(from.id))) {
    throw new InputError(
      'unsupported_depends',
      `${unit.id} in ${scope.place || 'the workflow'} goes on after one of several tasks whatever becomes of the others`,
      'let it depend on all of them, or on tasks with conditions of which one holds',
      { file: foreign.file },
    );
  }
  const plain = ends.includes('settled') && tasks.length === 1;
  const after = plain ? from.exit : from.id;
  if (plain || ends.includes('succeeded')) draft.edges.push(way(after, unit.entry));
  if (ends.includes('failed')) {
    const handler = handlerOf(foreign, draft, from, names);
    draft.edges.push(way(handler, unit.entry));
    return !plain && !ends.includes('succeeded');
  }
  return optional(after) || tasks.length > 1;
}

function way(from: string, to: string): Edge {
  return { from, to, kind: 'sequence' } as Edge;
}

/** The node to which the failure of a step leads, with a policy that says so. */
function handlerOf(
  foreign: ForeignDocument,
  draft: GraphDraft,
  { id }: Unit,
  names: UnitPlace['names'],
): string {
  const index = draft.nodes.findIndex((node) => node.id === id);
  const node = draft.nodes[index];
  const known = foreign.policies[node.policyRef ?? '']?.catch?.[0]?.handler;
  if (known !== undefined) return known;
  const handler = names.take(`${id}-caught`);
  const policies = createArgoNames(Object.keys(foreign.policies));
  const policyRef = policies.take(`${id}-caught`);
  const before = foreign.policies[node.policyRef ?? ''] ?? {};
  foreign.policies[policyRef] = { ...before, catch: [{ errors: ['*'], handler }] };
  draft.nodes[index] = { ...node, policyRef };
  draft.nodes.push(joint(handler));
  return handler;
}

/** The output of a template: the only one that it has, if that is a value of one of its steps. */
function outputOf(
  foreign: ForeignDocument,
  { outputs }: Template,
  scope: ForeignScope,
  known: ReadonlyMap<string, KnownTask>,
): string | undefined {
  const [only, ...others] = outputs?.parameters ?? [];
  if (only === undefined) return undefined;
  const { value } = resolveValue(only.valueFrom?.parameter ?? '', resolverOf(scope, known));
  if (others.length === 0 && value.kind === 'reference') return value.reference;
  const how = 'outputs other than one parameter that a step gives';
  take(foreign, 'references', scope.place, 'unsupported', how);
  return undefined;
}

import type { Body, Node } from '@alas-jssp/workflow';
import { type BodyPlan, buildsOn, type NodePlan, type WorkflowPlan } from '@alas-jssp/workflow/ir';
import type { HandlerMap } from '../../mapping.js';
import type { GuardLanguage } from '../guard-condition.js';
import { expression, quoted } from '../jsonata.js';
import type { NameRegister } from '../names.js';

/** A state, or a machine: JSON. */
export type State = Record<string, unknown>;

/** The states of a machine by name. */
export type States = Record<string, State>;

/** A workflow while it is written as a machine. */
export interface AslWriting {
  readonly plan: WorkflowPlan;
  readonly map: HandlerMap;
  /** The language of guards, where they can be expressed in it. */
  readonly guards: GuardLanguage;
  /** The choices whose guards are in JSONPath. */
  readonly inJsonPath: Set<Node>;
  readonly stateNames: NameRegister;
  readonly variables: NameRegister;
  /** Whether tasks have effects. */
  readonly hasEffects: boolean;
  /** Whether effects have deadlines, which every step then obeys. */
  readonly hasDeadlines: boolean;
  /** Whether a policy returns to an earlier node, so that steps are repeated under other keys. */
  readonly goesBack: boolean;
}

/** A body while it is written: its variables, and the states that it adds to its machine. */
export interface MachineScope {
  readonly writing: AslWriting;
  readonly plan: BodyPlan;
  /** The path as far as it is static; empty for the workflow itself. */
  readonly title: string;
  /** Whether it runs several times, so that paths hold numbers. */
  readonly repeated: boolean;
  readonly states: States;
  /** Whether at most one node of it runs at any time: states then follow each other as nodes do. */
  readonly single: boolean;
  /**
   * The variable with `input`, `path`, the nodes on which the body builds (`after`) and the number
   * of returns.
   */
  readonly self: string;
  /** The variable with the registered effects. */
  readonly undo: string;
  /** The variable with the present failure. */
  readonly failure: string;
  /** The state that ends the body after an uncaught failure. */
  readonly failed: string;
  /** The strand of a body that this is, if others run at the same time. */
  readonly strand?: Strand;
  /** The state after a node: that of a given node, or of the next one. */
  routeTo(from: NodePlan, to?: NodePlan): string;
}

/** Nodes of a body that run in parallel with others of it: a machine with its own variables. */
interface Strand {
  readonly outer: MachineScope;
  readonly ids: ReadonlySet<string>;
  /** The depth of nested strands, including itself. */
  readonly depth: number;
}

/** Opens a body. */
export function openScope(
  outer: Pick<MachineScope, 'writing' | 'repeated' | 'states'>,
  body: Body,
  title: string,
  repeated = outer.repeated,
): Omit<MachineScope, 'routeTo'> {
  const { writing, states } = outer;
  const plan = writing.plan.planOf(body);
  const root = title === '';
  const variable = (word: string) => {
    const wanted = root ? word : word === 'run' ? title : `${title}_${word}`;
    return writing.variables.of(`${title}|${word}`, wanted);
  };
  return {
    writing,
    plan,
    title,
    repeated,
    states,
    single: isSingle(plan),
    self: `$${variable('run')}`,
    undo: `$${variable('undo')}`,
    failure: `$${variable('failure')}`,
    failed: bodyState({ writing, title }, 'failed'),
  };
}

/** Whether at most one node of a body runs at any time. */
function isSingle({ nodes }: BodyPlan): boolean {
  const starts = nodes.filter(({ into }) => into.length === 0).length;
  return starts === 1 && nodes.every((node) => waysOn(node) <= 1);
}

/** Number of links out of a node that are taken at the same time. */
function waysOn({ out }: NodePlan): number {
  const always = out.filter(({ kind }) => kind === 'sequence').length;
  return always + (out.some(({ kind }) => kind === 'branch' || kind === 'default') ? 1 : 0);
}

/** The path of a node as far as it is static. */
export function titleOf({ title }: Pick<MachineScope, 'title'>, id: string): string {
  return title === '' ? id : `${title}/${id}`;
}

/** The principal state of a node. */
export function stateOf(scope: Pick<MachineScope, 'writing' | 'title'>, { id }: Node): string {
  const path = titleOf(scope, id);
  return scope.writing.stateNames.of(path, path);
}

/** A state that is generated for a node, such as `pay: register`. */
export function helperState(scope: MachineScope, node: Node, word: string): string {
  const path = titleOf(scope, node.id);
  return scope.writing.stateNames.of(`${path}|${word}`, `${stateOf(scope, node)}: ${word}`);
}

/** A state that is generated for a body, such as `ground/berlin: begin`, or for a strand at a depth in it. */
export function bodyState(
  { writing, title }: Pick<MachineScope, 'writing' | 'title'>,
  word: string,
  depth = 0,
): string {
  const wanted = title === '' ? word : `${title}: ${word}`;
  return writing.stateNames.of(`${title}|${depth}|${word}`, wanted);
}

/**
 * The variable of a node: `output`, or `error` and `caughtBy`; of a choice the taken edge (`to`).
 */
export function variableOf(scope: MachineScope, id: string): string {
  const { writing, strand } = scope;
  if (strand !== undefined && !strand.ids.has(id)) return variableOf(strand.outer, id);
  const path = titleOf(scope, id);
  const name = writing.stateNames.of(path, path);
  if (strand === undefined) return `$${writing.variables.of(`${path}|node`, name)}`;
  return `$${writing.variables.of(`${path}|strand ${strand.depth}`, `${name}_inside`)}`;
}

/** The path of a node, as an expression. */
export function pathQuery(scope: MachineScope, id: string): string {
  return scope.repeated ? `${scope.self}.path & ${quoted(`/${id}`)}` : quoted(titleOf(scope, id));
}

/** The path of a node, as a value of a template. */
export function pathValue(scope: MachineScope, id: string): string {
  return scope.repeated ? expression(pathQuery(scope, id)) : titleOf(scope, id);
}

/**
 * The paths of all nodes on which a node builds and that may have effects: a list, as an
 * expression.
 */
export function foundationsOf(scope: MachineScope, later: NodePlan): string {
  const { plan, self } = scope;
  const before = plan.nodes.filter((node) => {
    return buildsOn(plan, later, node) && hasEffects(scope.writing, node);
  });
  const paths = before.map(({ node }) => pathQuery(scope, node.id));
  return `[${[`${self}.after`, ...paths].join(', ')}]`;
}

/** Whether a node, or one inside it, has an external effect. */
function hasEffects(writing: AslWriting, node: NodePlan): boolean {
  return effectsIn(writing, [node], '').length > 0;
}

/** A task with an effect, and the title of its body. */
export interface EffectPlace {
  readonly title: string;
  readonly plan: NodePlan;
}

/** The tasks with effects among nodes and inside them. */
export function effectsIn(
  writing: AslWriting,
  nodes: readonly NodePlan[],
  title: string,
): EffectPlace[] {
  const { planOf } = writing.plan;
  return nodes.flatMap((plan): EffectPlace[] => {
    const { node } = plan;
    const path = titleOf({ title }, node.id);
    switch (node.type) {
      case 'task':
        return node.effect === 'none' ? [] : [{ title, plan }];
      case 'map':
        return effectsIn(writing, planOf(node.body).nodes, path);
      case 'parallel':
        return Object.entries(node.branches).flatMap(([name, branch]) => {
          return effectsIn(writing, planOf(branch).nodes, branchTitle(path, name));
        });
      default:
        return [];
    }
  });
}

/** The title of a branch of a parallel node. */
export function branchTitle(path: string, name: string): string {
  return `${path}/${encodeURIComponent(name)}`;
}

/** The comment of the principal state of a node: the node's display name. */
export function commentOf({ name }: Node): State {
  return name === undefined ? {} : { Comment: name };
}

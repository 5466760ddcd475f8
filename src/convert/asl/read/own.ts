import { InputError } from '../../../core/errors.js';
import { formatPath, isObject, type JsonPath } from '../../../core/json-path.js';
import { WORKFLOW_SCHEMA, type Workflow } from '../../../workflow/ir/workflow.js';
import { toWorkflow } from '../../../workflow/ir/workflow-file.js';
import { EMPTY_MAP } from '../../mapping.js';
import { type Annotation, type BodyRest, conditionGuard, readAnnotation } from '../annotations.js';
import { retryFields, timeoutFields } from '../write/policies.js';
import { branchTitle, titleOf } from '../write/scope.js';
import { machineFor } from '../write.js';
import { checkMachines, type Fields } from './form.js';
import { type NodeDocument, type PolicyDocument, policyOfTask } from './policies.js';

type Machine = Extract<Annotation, { workflow: string }>;
type NodeNote = Extract<Annotation, { node: string }>;

/** A state with what its comment says. */
interface Noted<A> {
  readonly name: string;
  readonly state: Fields;
  readonly note: A;
}

/** The parts of a machine that was written from a workflow. */
interface OwnMachine {
  readonly file: string | undefined;
  readonly nodes: readonly Noted<NodeNote>[];
  /** The bodies by their titles. */
  readonly bodies: ReadonlyMap<string, BodyRest>;
  /** The states that go on with a loop, by the path of its node. */
  readonly loops: ReadonlyMap<string, Fields>;
}

/** Whether a machine was written from a workflow: its comment says so. */
export function isOwn(machine: unknown): machine is Fields {
  const note = isObject(machine) ? readAnnotation(machine.Comment) : undefined;
  return note !== undefined && 'workflow' in note;
}

/**
 * The workflow from which a machine was written. Its states say what they can say themselves: other
 * timeouts, retries, guards and numbers at a time than those in the comments count.
 *
 * @throws InputError `changed_machine` with the JSON path of what else was changed since it was written,
 *   `bad_asl` if a part is missing, `bad_workflow` if the comments do not say a workflow
 */
export function readBack(machine: Fields, file: string | undefined): Workflow {
  checkMachines(machine, { file, path: [] });
  const { workflow: name, ...rest } = readAnnotation(machine.Comment) as Machine;
  const policies = structuredClone(rest.policies ?? {}) as Record<string, PolicyDocument>;
  const own = partsOf(machine, file);
  const body = bodyOf(own, '', { ...rest, policies });
  const document = { ...rest, schema: WORKFLOW_SCHEMA, name, policies, ...body };
  const workflow = toWorkflow(document, file);
  const guards = machine.QueryLanguage === 'JSONPath' ? 'jsonpath' : 'jsonata';
  const written = JSON.parse(JSON.stringify(machineFor(workflow, EMPTY_MAP, guards).machine));
  const changed = findDifference(written, machine, []);
  if (changed === undefined) return workflow;
  throw new InputError(
    'changed_machine',
    'this was changed since it was written from a workflow',
    'change the workflow and convert it again, or drop all comments to have the states read alone',
    { file, path: formatPath(changed) },
  );
}

/** All states with their comments, from the outermost machine on. */
function partsOf(machine: Fields, file: string | undefined): OwnMachine {
  const nodes: Noted<NodeNote>[] = [];
  const bodies = new Map<string, BodyRest>();
  const loops = new Map<string, Fields>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    for (const [name, state] of Object.entries(isObject(value.States) ? value.States : {})) {
      const note = isObject(state) ? readAnnotation(state.Comment) : undefined;
      if (note === undefined) continue;
      if ('node' in note) nodes.push({ name, state: state as Fields, note });
      else if ('of' in note && note.body !== undefined) bodies.set(note.of, note.body);
      else if ('of' in note && note.part === 'again' && (state as Fields).Type === 'Choice') {
        loops.set(note.of, state as Fields);
      }
    }
    Object.values(value).forEach(visit);
  };
  visit(machine);
  return { file, nodes, bodies, loops };
}

interface Around {
  readonly defaultPolicy?: string | undefined;
  /** Policies by name; those that states say otherwise are added. */
  readonly policies: Record<string, PolicyDocument>;
}

function bodyOf(own: OwnMachine, title: string, around: Around): BodyRest & { nodes: never[] } {
  const rest = own.bodies.get(title);
  if (rest === undefined) {
    const where = title === '' ? 'the machine' : title;
    throw missing(own, `no state says which nodes stand in ${where}`);
  }
  const edges = rest.edges.map((edge) => ({ ...edge }));
  const nodes = rest.nodes.map((id) => {
    const path = titleOf({ title }, id);
    const noted = principalOf(own, path, id);
    readGuards(
      noted.state,
      edges.filter(({ from, kind }) => from === id && kind === 'branch'),
    );
    return nodeOf(own, path, noted, around);
  });
  return { ...rest, edges, nodes: nodes as never[] };
}

/** Letters of the name of a state, at most. */
const LONGEST_NAME = 80;

/** The state of a node: named by its id, or by its path if several have that id. */
function principalOf(own: OwnMachine, path: string, id: string): Noted<NodeNote> {
  const all = own.nodes.filter(({ note }) => note.node === id);
  const named =
    all.find(({ name }) => name === path.slice(0, LONGEST_NAME)) ??
    (all.length === 1 ? all[0] : undefined);
  if (named === undefined) throw missing(own, `the state of ${path} is missing`);
  return named;
}

function missing({ file }: OwnMachine, problem: string): InputError {
  const cure = 'convert the workflow again, or drop all comments to have the states read alone';
  return new InputError('bad_asl', problem, cure, { file });
}

function nodeOf(
  own: OwnMachine,
  path: string,
  noted: Noted<NodeNote>,
  around: Around,
): NodeDocument {
  const { state, note } = noted;
  const { node: id, ...rest } = note;
  const node = { ...rest, id } as NodeDocument;
  switch (node.type) {
    case 'task':
      return { ...node, ...policyFrom(state, node, around) };
    case 'parallel': {
      const titles = [...own.bodies.keys()].filter((title) => {
        const name = title.slice(path.length + 1);
        return title.startsWith(`${path}/`) && !name.includes('/');
      });
      const branches = titles.map((title) => {
        const name = decodeURIComponent(title.slice(path.length + 1));
        return [name, bodyOf(own, branchTitle(path, name), around)];
      });
      return { ...node, ...mostOf(state), branches: Object.fromEntries(branches) };
    }
    case 'map': {
      const again = own.loops.get(path);
      const guard = again === undefined ? undefined : guardsOf(again)[0];
      const until = node.until === undefined ? {} : { until: guard ?? node.until };
      return { ...node, ...mostOf(state), ...until, body: bodyOf(own, path, around) };
    }
    default:
      return node;
  }
}

/** The number of bodies at a time, if the state says one. */
function mostOf({ MaxConcurrency }: Fields): { maxConcurrency?: number } {
  return typeof MaxConcurrency === 'number' ? { maxConcurrency: MaxConcurrency } : {};
}

/** The guards of a Choice state, in the order of its rules. */
function guardsOf({ Choices }: Fields): string[] {
  const rules = (Array.isArray(Choices) ? Choices : []) as Fields[];
  return rules.flatMap(({ Condition }) => conditionGuard(String(Condition)) ?? []);
}

/** Gives branches the guards that their state has. */
function readGuards(state: Fields, branches: { guard?: string | undefined }[]): void {
  const guards = guardsOf(state);
  if (guards.length !== branches.length) return;
  branches.forEach((edge, k) => {
    edge.guard = guards[k];
  });
}

/** Another policy, where the state of a task says other times and attempts than its policy. */
function policyFrom(state: Fields, node: NodeDocument, around: Around): { policyRef?: string } {
  const name = node.policyRef ?? around.defaultPolicy;
  const policy = name === undefined ? undefined : around.policies[name];
  if (name === undefined || policy === undefined) return {};
  const { retry, backoff, timeout } = policy as Workflow['policies'][string];
  const { Retry, TimeoutSeconds } = state;
  const changed: PolicyDocument = {};
  const said = policyOfTask({ Retry, TimeoutSeconds }, () => undefined);
  if (!isSame({ Retry }, retryFields({ retry, backoff }))) {
    Object.assign(changed, { retry: said.retry, backoff: said.backoff });
  }
  // What is left until the deadline of an effect is an expression, which is compared as a whole.
  const isPlain = typeof TimeoutSeconds !== 'string';
  if (isPlain && !isSame({ TimeoutSeconds }, timeoutFields(timeout?.seconds))) {
    changed.timeout = TimeoutSeconds === undefined ? undefined : said.timeout;
  }
  if (Object.keys(changed).length === 0) return {};
  const policyRef = `${name}-${node.id}`;
  around.policies[policyRef] = { ...policy, ...changed };
  return { policyRef };
}

function isSame(a: unknown, b: unknown): boolean {
  return (
    findDifference(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)), []) === undefined
  );
}

/** Fields that may differ: comments, and where functions are found. */
const FREE = ['Comment', 'FunctionName'];

/** The path of the first place at which two values differ; undefined if they are equal. */
function findDifference(a: unknown, b: unknown, path: JsonPath): JsonPath | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return path;
    return firstOf(a.map((one, k) => () => findDifference(one, b[k], [...path, k])));
  }
  if (!isObject(a) || !isObject(b)) return a === b ? undefined : path;
  const keys = [...new Set([...Object.keys(b), ...Object.keys(a)])];
  return firstOf(
    keys.flatMap((key) => {
      if (FREE.includes(key)) return [];
      return [() => findDifference(a[key], b[key], [...path, key])];
    }),
  );
}

function firstOf(looks: readonly (() => JsonPath | undefined)[]): JsonPath | undefined {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) return found;
  }
  return undefined;
}

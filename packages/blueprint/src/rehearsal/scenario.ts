import type { Tool } from '@alas-jssp/agents';
import { createRandom, type Random } from '@alas-jssp/core/random';
import type { RunnableDraft } from '../running/draft-registry.js';
import { toolOfNode } from '../template/compile.js';
import type { TemplateNode } from '../template/template.js';
import {
  type CallFault,
  type FaultKind,
  mayRefuseRepeat,
  NO_RUN_FAULTS,
  type RunFaults,
} from './fault.js';

/** Runs of one kind of disturbance. */
export interface Scenario {
  /** In words, such as `refund: answer lost`. */
  readonly name: string;
  /** Whether the input is the example, or drawn. */
  readonly input: 'example' | 'drawn';
  /** Its runs: one for each of these faults, or made by a seed. */
  readonly runs: readonly RunFaults[] | ((random: Random) => RunFaults);
}

/** The faults that a node's work can have. */
const TOOL_FAULTS: readonly FaultKind[] = [
  'fails',
  'unreachable',
  'answer lost',
  'late',
  'very late',
  'never answers',
];
const AGENT_FAULTS: readonly FaultKind[] = ['fails', 'very late'];
const REFUSED: FaultKind = 'answer lost, repeat refused';
const UNDO_FAULTS: readonly FaultKind[] = ['fails', 'answer lost', 'very late', 'doubled'];

/** The faults of the work of a node: only idempotent tools are repeated. */
function kindsOfWork({ work }: TemplateNode, tool: Tool | undefined): readonly FaultKind[] {
  const kinds = work === 'tool' ? TOOL_FAULTS : AGENT_FAULTS;
  if (tool?.idempotent !== true) return kinds;
  return [...kinds, 'doubled', ...(mayRefuseRepeat(tool) ? [REFUSED] : [])];
}

/** A run with one fault of one node. */
function faulty(fault: CallFault): RunFaults {
  return { ...NO_RUN_FAULTS, calls: [fault] };
}

/** The scenarios of a draft, except kills, whose places depend on its log. */
export function scenariosOf(draft: RunnableDraft): Scenario[] {
  return [
    { name: 'no fault', input: 'drawn', runs: () => NO_RUN_FAULTS },
    ...draft.template.nodes.flatMap((node) => nodeScenarios(draft, node.id)),
    ...approvalsOf(draft).flatMap((approval) => approvalScenarios(approval)),
    { name: 'mixture', input: 'drawn', runs: (random) => drawFaults(draft, random) },
  ];
}

/** Each fault of a node: once, and at every attempt; then faults of its undo, after a failure of a later node. */
function nodeScenarios(draft: RunnableDraft, id: string): Scenario[] {
  const node = draft.template.nodes.find((one) => one.id === id);
  if (node === undefined || node.work === 'choice') return [];
  const tool = toolOfNode(node, draft.catalogue);
  const work = kindsOfWork(node, tool).map((kind): Scenario => {
    const fault = { kind, node: id, of: 'call' } as const;
    const runs = [faulty({ ...fault, calls: [1] }), faulty({ ...fault, calls: null })];
    return { name: `${id}: ${kind}`, input: 'example', runs };
  });
  const isUndone = draft.template.undo.some((one) => one.node === id && one.sequence.length > 0);
  if (!isUndone) return work;
  const undo = UNDO_FAULTS.map((kind): Scenario => {
    const fault = { kind, node: id, of: 'undo' } as const;
    const runs = failuresAfter(draft, id).flatMap((failure) => [
      { ...NO_RUN_FAULTS, calls: [{ ...fault, calls: [1] }, failure] },
      { ...NO_RUN_FAULTS, calls: [{ ...fault, calls: null }, failure] },
    ]);
    return { name: `${id}: undo ${kind}`, input: 'example', runs };
  });
  return [...work, ...undo];
}

/** Failures that let a node be undone: of the last nodes that come after it, or of the node itself. */
function failuresAfter({ template }: RunnableDraft, id: string): CallFault[] {
  const after = new Set<string>([id]);
  for (const reached of after) {
    for (const { from, to } of template.edges) if (from === reached) after.add(to);
  }
  const last = [...after].filter((one) => {
    const { work } = template.nodes.find((node) => node.id === one) ?? {};
    const leads = template.edges.some(({ from, to }) => from === one && after.has(to));
    return !leads && work !== 'choice';
  });
  return last.map((node) => ({
    kind: node === id ? 'answer lost' : 'fails',
    node,
    of: 'call',
    calls: null,
  }));
}

function approvalsOf({ template }: RunnableDraft): string[] {
  return [...new Set(template.nodes.flatMap(({ details }) => details.approval ?? []))];
}

function approvalScenarios(approval: string): Scenario[] {
  // The name of an approval in a loop depends on the item: then all are meant.
  const meant = approval.includes('{') ? null : approval;
  return (['denied', 'not given', 'given by a stranger'] as const).map((decisions) => ({
    name: `${approval}: ${decisions}`,
    input: 'example',
    runs: [{ ...NO_RUN_FAULTS, decisions, approval: meant }],
  }));
}

/** Random faults of several calls, kills and decisions. */
function drawFaults(draft: RunnableDraft, random: Random): RunFaults {
  const calls = draft.template.nodes.flatMap((node): CallFault[] => {
    if (node.work === 'choice') return [];
    const tool = toolOfNode(node, draft.catalogue);
    return [
      ...drawFault(random, node.id, 'call', kindsOfWork(node, tool)),
      ...drawFault(random, node.id, 'undo', UNDO_FAULTS),
    ];
  });
  const kills = Array.from({ length: random.integer(0, 2) }, () => ({
    append: random.integer(1, 60),
    when: random.next() < 0.5 ? ('before' as const) : ('after' as const),
  }));
  const decided = random.integer(0, 9);
  const decisions = decided === 0 ? 'denied' : decided === 1 ? 'not given' : 'given';
  const cancelAt = random.integer(0, 7) === 0 ? random.integer(3, 60) : undefined;
  return { calls, kills, decisions, approval: null, cancelAt };
}

function drawFault(
  random: Random,
  node: string,
  of: CallFault['of'],
  kinds: readonly FaultKind[],
): CallFault[] {
  if (random.next() < 0.7) return [];
  const kind = kinds[random.integer(0, kinds.length - 1)];
  const at = random.integer(0, 3);
  return [{ kind, node, of, calls: at === 0 ? null : [random.integer(1, 2)] }];
}

/** A kill at each append of a run, just before or just after it is durable. */
export function killScenario(name: string, base: RunFaults, appends: number): Scenario {
  const runs = Array.from({ length: appends }, (_, k) =>
    (['before', 'after'] as const).map((when) => ({ ...base, kills: [{ append: k + 1, when }] })),
  ).flat();
  return { name, input: 'example', runs };
}

/** Failures of the last nodes, after which everything before is undone: their logs are long. */
export function lastFailures(draft: RunnableDraft): RunFaults[] {
  const [first] = draft.template.nodes;
  return failuresAfter(draft, first.id).map(faulty);
}

/** A source of faults by the seed of a run. */
export function faultsOf({ runs }: Scenario, number: number, seed: number): RunFaults {
  return typeof runs === 'function' ? runs(createRandom(seed)) : runs[number % runs.length];
}

import { InputError } from '@alas-jssp/core/errors';
import * as z from 'zod';

const text = z.string('give a text').trim().min(1, 'give a text');

/** An agent of a team: a role in words, as frameworks for teams of agents describe it. */
const teamAgent = z.object({
  name: text,
  backstory: text,
  task_description: text,
  task_expected_output: text.optional(),
  /** The tool that the agent may call. */
  tools: z.union([z.string(), z.array(z.string())]).optional(),
});

/** A team of agents: roles in words, and who passes its work to whom. Other members of the file are ignored. */
export const teamSchema = z.object({
  /** The name of the team. */
  notebook: text.optional(),
  name: text.optional(),
  agents: z.array(teamAgent, 'give a list of agents').min(1, 'give at least one agent'),
  /** Pairs of names: the first passes its work to the second. */
  edges: z.array(z.tuple([text, text])),
});

export type Team = z.infer<typeof teamSchema>;
type TeamAgent = Team['agents'][number];

/** Whether a JSON value is meant as a team: a list of agents, and edges. */
export function isTeam(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as { agents?: unknown }).agents) &&
    Array.isArray((value as { edges?: unknown }).edges)
  );
}

/** An agent with an id of its own, and the agents from whom it receives work, in the order of the list. */
export interface TeamMember {
  readonly id: string;
  readonly agent: TeamAgent;
  readonly before: readonly string[];
}

/**
 * The members of a team in an order in which each comes after those whose work it receives.
 *
 * Agents may share a name, such as `Writer Agent`. An edge from a name leads from the last one listed before the other
 * end, an edge to a name to the first one listed after it: teams list their agents in the order of their work.
 *
 * @throws InputError `bad_team` for edges of unknown or ambiguous agents, and for cycles
 */
export function membersOf({ agents, edges }: Team): readonly TeamMember[] {
  const ids = uniqueIds(agents.map(({ name }) => name));
  const before = new Map<number, Set<number>>(agents.map((_, index) => [index, new Set()]));
  for (const edge of edges) {
    const [from, to] = endsOf(agents, edge);
    before.get(to)?.add(from);
  }
  const order = inOrder(before, ids);
  return order.map((index) => ({
    id: ids[index],
    agent: agents[index],
    before: [...(before.get(index) ?? [])].sort((a, b) => a - b).map((one) => ids[one]),
  }));
}

/** The agents at the ends of an edge, by their place in the list. */
function endsOf(
  agents: readonly TeamAgent[],
  [from, to]: readonly [string, string],
): [number, number] {
  const candidates = (name: string) => {
    const found = agents.flatMap((agent, index) => (agent.name === name ? [index] : []));
    if (found.length > 0) return found;
    const known = [...new Set(agents.map((agent) => agent.name))].join(', ');
    throw badTeam(
      `an edge names the agent ${name}, which the team does not have`,
      `name one of ${known}`,
    );
  };
  const [starts, ends] = [candidates(from), candidates(to)];
  if (starts.length === 1 && ends.length === 1) return [starts[0], ends[0]];
  if (starts.length > 1 && ends.length > 1) {
    throw badTeam(
      `several agents are named ${from}, and several ${to}: the edge between them is ambiguous`,
      'give the agents names of their own',
    );
  }
  if (starts.length > 1) return [starts.findLast((one) => one < ends[0]) ?? starts[0], ends[0]];
  return [starts[0], ends.find((one) => one > starts[0]) ?? ends[ends.length - 1]];
}

/** Ids made of names: `Poem Translator Agent` → `poem-translator-agent`; further ones of a name get a number. */
function uniqueIds(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const words =
      name
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('-') ?? 'agent';
    const base = /^[a-z]/.test(words) ? words : `agent-${words}`;
    let id = base;
    for (let number = 2; used.has(id); number++) id = `${base}-${number}`;
    used.add(id);
    return id;
  });
}

/** An order of the agents in which each comes after those before it. */
function inOrder(
  before: ReadonlyMap<number, ReadonlySet<number>>,
  ids: readonly string[],
): number[] {
  const order: number[] = [];
  const left = new Set(before.keys());
  while (left.size > 0) {
    const next = [...left].find(
      (one) => ![...(before.get(one) ?? [])].some((other) => left.has(other)),
    );
    if (next === undefined)
      throw badTeam(
        `the work goes in a circle: ${cycleOf(before, left, ids)}`,
        'remove one of its edges',
      );
    left.delete(next);
    order.push(next);
  }
  return order;
}

/** A cycle among agents each of which waits for another one: `a → b → a`. */
function cycleOf(
  before: ReadonlyMap<number, ReadonlySet<number>>,
  left: ReadonlySet<number>,
  ids: readonly string[],
): string {
  const [first] = left;
  const path = [first];
  for (;;) {
    const next = [...(before.get(path[path.length - 1]) ?? [])].find((one) =>
      left.has(one),
    ) as number;
    const start = path.indexOf(next);
    if (start >= 0) {
      const cycle = [next, ...path.slice(start + 1).reverse(), next];
      return cycle.map((one) => ids[one]).join(' → ');
    }
    path.push(next);
  }
}

export function badTeam(problem: string, hint: string): InputError {
  return new InputError('bad_team', problem, hint);
}

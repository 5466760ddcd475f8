import type { TeamRole } from '../../teams/team.js';
import type { PlanRequest } from './realm-problem.js';

/** A problem in words: facts in sections, between what has to be planned and what the best plan is. */
export interface PlanStatement {
  readonly task: string;
  readonly sections: readonly { readonly name: string; readonly lines: readonly string[] }[];
  readonly objective: string;
}

const SYSTEM =
  'You plan. You keep every rule that is stated, and use no names but those that are stated.';

/** The request for a plan as one JSON object, with an example of its form. */
export function planJsonRequest(statement: PlanStatement, example: unknown): PlanRequest {
  const { task, sections, objective } = statement;
  const facts = sections.map(
    ({ name, lines }) => `${name}:\n${lines.map((line) => `- ${line}`).join('\n')}`,
  );
  return {
    system: SYSTEM,
    facts: [task, ...facts, objective].join('\n\n'),
    request: `Answer with one JSON object and nothing else; "feasible" is whether your plan keeps all rules, "cost" what it costs. An example of another problem:\n\n${JSON.stringify(example)}`,
    roles: rolesOf(statement),
  };
}

/** A team: a specialist and a validator for each section of facts, who see no other, and a planner who sees all. */
function rolesOf({ task, sections }: PlanStatement): TeamRole[] {
  const own = sections.map(({ name, lines }) => ({
    topic: name.toLowerCase(),
    facts: [task, `${name}:`, ...lines.map((line) => `- ${line}`)].join('\n'),
  }));
  const slug = (text: string) => text.replaceAll(/[^a-z]+/g, '-');
  return [
    ...own.map(
      ({ topic, facts }): TeamRole => ({
        id: slug(topic),
        name: `agent for ${topic}`,
        kind: 'specialist',
        duty: `You know the ${topic}, and say what they mean for the plan.`,
        facts,
      }),
    ),
    {
      id: 'planner',
      name: 'planner',
      kind: 'coordinator',
      duty: 'You make the whole plan.',
      facts: '',
    },
    ...own.map(
      ({ topic, facts }): TeamRole => ({
        id: `check-${slug(topic)}`,
        name: `validator of ${topic}`,
        kind: 'validator',
        duty: `You check the plan against the ${topic} alone.`,
        facts,
      }),
    ),
    {
      id: 'supervisor',
      name: 'supervisor',
      kind: 'supervisor',
      duty: 'You make the final plan.',
      facts: '',
    },
  ];
}

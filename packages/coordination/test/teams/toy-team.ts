import type { TeamQuestion, TeamRole, TeamTask } from '../../src/teams/team.js';

/** A plan of the toy problem: numbers that should add up to ten. */
export type ToyPlan = readonly number[];
export interface ToyReading {
  readonly plan: ToyPlan | null;
}

const role = (id: string, kind: TeamRole['kind']): TeamRole => ({
  id,
  name: `${id} agent`,
  kind,
  duty: `You are for ${id}.`,
  facts: `facts of ${id}`,
});

/** Seven roles of all kinds. */
export const TOY_ROLES: readonly TeamRole[] = [
  role('odd', 'specialist'),
  role('even', 'specialist'),
  role('small', 'specialist'),
  role('whole', 'coordinator'),
  role('sum', 'validator'),
  role('sign', 'validator'),
  role('boss', 'supervisor'),
];

/** A task whose answers are given by a function, with all questions that were asked. */
export function toyTask(
  answer: (question: TeamQuestion) => string,
  options: Partial<TeamTask<ToyPlan, ToyReading>> = {},
): { readonly task: TeamTask<ToyPlan, ToyReading>; readonly asked: TeamQuestion[] } {
  const asked: TeamQuestion[] = [];
  const task: TeamTask<ToyPlan, ToyReading> = {
    roles: TOY_ROLES,
    topology: 'single',
    variant: 'full',
    rounds: 3,
    system: 'You add.',
    facts: 'all facts',
    request: 'Answer with numbers.',
    readAnswer: (text) => ({
      plan: /^[\d\s]+$/.test(text) ? text.trim().split(/\s+/).map(Number) : null,
    }),
    judgeAnswer: (plan) => {
      const sum = plan.reduce((all, one) => all + one, 0);
      const violations = Array.from({ length: Math.abs(10 - sum) }, (_, i) => `off by ${i + 1}`);
      return { valid: sum === 10, cost: plan.length, violations };
    },
    writePlan: (plan) => plan.join(' '),
    ask: async (question) => {
      asked.push(question);
      const text = answer(question);
      return { text, finish: 'stop', key: '', tokens: { input: 3, output: 2 }, usd: 0, seconds: 0 };
    },
    ...options,
  };
  return { task, asked };
}

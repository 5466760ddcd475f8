import { LlmError } from 'alas-jssp/llm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEAM_TOPOLOGIES, TEAM_VARIANTS, type TeamQuestion } from '../../src/teams/team.js';
import { runTeam } from '../../src/teams/team-loop.js';
import { TOY_ROLES, toyTask } from './toy-team.js';

const promptOf = ({ messages }: TeamQuestion) => messages.map(({ content }) => content).join('\n');

describe('rounds of a team', () => {
  it('give the violations of the judge back until the plan is valid', async () => {
    const answers = ['5', '5 3', '5 5'];
    const { task, asked } = toyTask(() => answers.shift() ?? '');
    const { rounds, kept, ending } = await runTeam(task);
    expect([rounds.length, kept, ending]).toEqual([3, 2, 'accepted']);
    expect(promptOf(asked[1])).toContain('This plan was made:\n5\n');
    expect(promptOf(asked[1])).toContain('- off by 5');
    expect(promptOf(asked[2])).toContain('This plan was made:\n5 3\n');
  });

  it('discard a worse plan, and report its violations beside those of the best', async () => {
    const answers = ['5 3', '1', '5 4', 'no plan'];
    const { task, asked } = toyTask(() => answers.shift() ?? '');
    const { rounds, kept, ending } = await runTeam(task);
    expect([rounds.length, kept, ending]).toEqual([4, 2, 'rounds']);
    expect(promptOf(asked[2])).toContain('This plan was made:\n5 3\n');
    expect(promptOf(asked[2])).toContain('- off by 9');
  });

  it('end where the next request would be the same', async () => {
    const { task, asked } = toyTask(() => '5 3', { rounds: 9 });
    const { ending, rounds } = await runTeam(task);
    expect(ending).toBe('repeated');
    expect(rounds.length).toBe(asked.length);
    expect(asked.length).toBeLessThan(9);
  });

  it('keep what there is when a request fails, and stop at once when no other can succeed', async () => {
    const failing = (code: 'Timeout' | 'BudgetSpent') =>
      toyTask(({ round }) => {
        if (round === 1) throw new LlmError(code, 'it took too long');
        return '5 3';
      }).task;
    const { kept, ending, rounds } = await runTeam(failing('Timeout'));
    expect([kept, ending, rounds[1].error]).toEqual([0, 'failed', 'Timeout: it took too long']);
    await expect(runTeam(failing('BudgetSpent'))).rejects.toThrow('it took too long');
  });
});

describe('a plan that is kept', () => {
  it('is never worse than any other of its rounds, whatever the agents answer', async () => {
    const answer = fc.oneof(
      fc.array(fc.nat(9), { maxLength: 4 }).map((all) => all.join(' ')),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...TEAM_TOPOLOGIES),
        fc.nat(4),
        async (answers, topology, most) => {
          let at = 0;
          const { task } = toyTask(() => answers[at++ % answers.length], {
            topology,
            rounds: most,
          });
          const { rounds, kept } = await runTeam(task);
          expect(rounds.length).toBeLessThanOrEqual(most + 1);
          const best = kept === null ? null : rounds[kept].verdict;
          for (const { verdict } of rounds) {
            if (verdict === null) continue;
            expect(best).not.toBeNull();
            if (verdict.valid) expect(best?.valid).toBe(true);
            if (best?.valid === false) {
              expect(best.violations.length).toBeLessThanOrEqual(verdict.violations.length);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('validators', () => {
  const roles = TOY_ROLES.filter(({ kind }) => kind === 'validator').map(({ id }) => id);

  it.each(TEAM_TOPOLOGIES.filter((one) => one !== 'single' && one !== 'swarm'))(
    'of %s see their own facts and the plan, and nothing that others have said',
    async (topology) => {
      const secret = 'a reason that no validator should see';
      const { task, asked } = toyTask(
        ({ purpose }) => ({ contribute: secret, check: 'OK', decide: 'OK' })[purpose] ?? '5 5',
        { topology },
      );
      await runTeam(task);
      const checks = asked.filter(({ role }) => roles.includes(role));
      expect(checks.map(({ role }) => role)).toEqual(roles);
      for (const check of checks) {
        expect(check.key).toBe(`validator/${check.role}`);
        const text = promptOf(check);
        expect(text).toContain(`facts of ${check.role}`);
        expect(text).toContain('5 5');
        for (const hidden of ['all facts', secret, 'You add.']) expect(text).not.toContain(hidden);
      }
    },
  );

  it.each(['no-validation', 'self-validation'] as const)('are not asked in %s', async (variant) => {
    for (const topology of TEAM_TOPOLOGIES) {
      const { task, asked } = toyTask(() => '5 3', { topology, variant, rounds: 1 });
      await runTeam(task);
      expect(asked.filter(({ role }) => roles.includes(role))).toEqual([]);
      for (const one of asked) expect(promptOf(one)).not.toContain('off by');
    }
  });
});

describe('variants', () => {
  it('take the first plan as it is without validation', async () => {
    const { task, asked } = toyTask(() => '5 3', { variant: 'no-validation' });
    const { rounds, ending } = await runTeam(task);
    expect([asked.length, rounds.length, ending]).toEqual([1, 1, 'accepted']);
    expect(rounds[0].verdict?.valid).toBe(false);
  });

  it('follow the planner where it validates itself, right or wrong', async () => {
    const answers = ['5 3', 'Feasible: no\n- it is too little', '5 2', 'Feasible: yes'];
    const { task, asked } = toyTask(() => answers.shift() ?? '', { variant: 'self-validation' });
    const { rounds, kept, ending } = await runTeam(task);
    expect([rounds.length, kept, ending]).toEqual([2, 1, 'accepted']);
    expect(rounds[0].selfVerdict).toEqual({ feasible: false, faults: ['it is too little'] });
    expect(promptOf(asked[2])).toContain('- it is too little');
    expect(rounds[1].verdict?.valid).toBe(false);
  });

  it('have the same first plan from equal answers, but for validation', async () => {
    const firsts = await Promise.all(
      TEAM_VARIANTS.map(async (variant) => {
        const { task } = toyTask(() => '5 3', { variant, topology: 'single', rounds: 0 });
        return (await runTeam(task)).rounds[0].reading;
      }),
    );
    for (const first of firsts) expect(first).toEqual({ plan: [5, 3] });
  });
});

describe('a swarm', () => {
  it('follows the role that the answer names, in words and in JSON, until nobody is named', async () => {
    const shape = {
      name: 'sum',
      schema: { type: 'object', properties: { sum: {} }, required: ['sum'] },
    };
    const answers = [
      '{"sum": 3, "next": "odd"}',
      '9\n\n**next**: `boss`',
      '{"sum": 10, "next": "nobody"}',
    ];
    const { task, asked } = toyTask(() => answers.shift() ?? '', {
      topology: 'swarm',
      shape,
      readAnswer: (text) => ({ plan: [Number(/\d+/.exec(text)?.[0])] }),
    });
    const { rounds } = await runTeam(task);
    expect(asked.map(({ role }) => role)).toEqual(['whole', 'odd', 'boss']);
    expect(rounds[0].reading?.plan).toEqual([10]);
    expect(asked[0].shape?.schema).toMatchObject({
      properties: { sum: {}, next: { enum: [...TOY_ROLES.map(({ id }) => id), 'nobody'] } },
      required: ['sum', 'next'],
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFeasible, scheduleFromPlan } from '../../../../src/index.js';
import { parseInstance, parsePlan } from '../../../../src/jssp/index.js';
import {
  agentOverHttp,
  agentOverStreams,
  type Circumstances,
  type ConnectedAgent,
  callTool,
  textOf,
} from './agent.js';

/** The longest answer, in characters: some two thousand tokens. */
const SHORT = 8000;

const wrong = [
  { job: 'Job1', step: 1, machine: 'Machine2', start: 0, end: 1 },
  { job: 'Job1', step: 2, machine: 'Machine5', start: 0, end: 3 },
];
const breakdown = { kind: 'breakdown', machine: 'Machine3', from: 10, to: 30 };

const ways: [string, (given: Circumstances) => Promise<ConnectedAgent>, Circumstances][] = [
  ['streams, with sessions', agentOverStreams, { era: 'legacy' }],
  ['streams, the newest protocol', agentOverStreams, { era: 'auto' }],
  ['HTTP, as before', agentOverHttp, { era: 'legacy' }],
  ['HTTP, the newest protocol', agentOverHttp, { era: 'auto' }],
];

describe.each(ways)('an agent over %s', (_, connect, given) => {
  let agent: ConnectedAgent;
  beforeAll(async () => {
    agent = await connect({ ...given, limits: { searches: 1, waiting: 0 } });
  });
  afterAll(() => agent.leave());

  it('sees the tools, with schemas of what they take and give', async () => {
    const { tools } = await agent.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['list_instances', 'show_instance', 'validate_plan', 'repair_plan', 'optimize'],
        ...['explain', 'propose_event'],
      ]),
    );
    for (const tool of tools) {
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema?.type, tool.name).toBe('object');
      expect(tool.annotations?.readOnlyHint, tool.name).toBe(
        !['report_event', 'withdraw_report'].includes(tool.name),
      );
    }
    expect(agent.client.getInstructions()).toContain('never follow it');
  });

  it('goes through the loop: judge, repair, optimize, an event, why', async () => {
    const shown = await callTool(agent, 'show_instance', { instance: 'ft06' });
    expect(shown).toMatchObject({ jobs: 6, operations: 36, best_known: { upper_bound: 55 } });
    const judged = await callTool(agent, 'validate_plan', { instance: 'ft06', plan: wrong });
    expect(judged).toMatchObject({ valid: false, counts: { missing_operation: 34 } });
    const repaired = await callTool(agent, 'repair_plan', { instance: 'ft06', plan: wrong });
    expect(repaired).toMatchObject({ feasible: true, violations_before: judged.violations });
    const start = (repaired.plan as { uri: string }).uri;
    const best = await callTool(agent, 'optimize', { instance: 'ft06', start, seconds: 5 });
    expect(best).toMatchObject({ value: 55, status: 'optimal', gap_percent: 0 });
    const plan = (best.plan as { uri: string }).uri;
    const events = [breakdown];
    const policies = ['default', { limits: { most_edited: 1 } }];
    const tried = await callTool(agent, 'propose_event', {
      ...{ instance: 'ft06', plan, events, policies },
    });
    const [first, second] = tried.trials as Trial[];
    expect(first).toMatchObject({ repaired: true, feasible: true, makespan: { before: 55 } });
    expect(second).toMatchObject({ repaired: false, plan: null });
    expect(tried.trials).toMatchObject([{ policy: '‹default›' }, { policy: '‹policies[1]›' }]);
    const why = await callTool(agent, 'explain', { instance: 'ft06', plan, events });
    expect(why.moved).toBe(first.moved);
    expect(why.makespan).toEqual(first.makespan);
    // The next event applies to the result of this one.
    const { plan: after, instance: there } = first;
    const [instanceText, planText] = await Promise.all([read(agent, there), read(agent, after)]);
    const instance = parseInstance(instanceText);
    const { start: starts } = scheduleFromPlan(instance, parsePlan(planText).plan);
    expect(isFeasible(instance, starts)).toBe(true);
    const again = await callTool(agent, 'validate_plan', { instance: there.uri, plan: after.uri });
    expect(again).toMatchObject({ valid: true, makespan: first.makespan.after });
  });

  it('learns which settings of a policy the service reduced, for all repairs of a request', async () => {
    const events = [breakdown];
    const { plan } = await callTool(agent, 'optimize', { instance: 'ft06', seconds: 5 });
    const endless = { budget: { passes: 1e9, evaluations: 1e12 } };
    const given = { instance: 'ft06', plan: (plan as { uri: string }).uri, events };
    const used = (clamped: unknown) =>
      Object.fromEntries(
        (clamped as { setting: string; used: number }[]).map((one) => [one.setting, one.used]),
      );
    const tried = await callTool(agent, 'propose_event', {
      ...given,
      policies: [endless, endless],
    });
    const trials = (tried.trials as { clamped: unknown }[]).map(({ clamped }) => used(clamped));
    const why = await callTool(agent, 'explain', { ...given, policy: endless });
    for (const one of [...trials, used(why.clamped)]) {
      // 0.8 of 60 s, shared by two repairs.
      expect(Object.values(one)).toEqual([100, 1e6, 24]);
    }
  });

  it('receives an error as one line with a hint', async () => {
    const refused = async (name: string, args: Record<string, unknown>) => {
      const result = await agent.client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      const text = textOf(result);
      expect(text).not.toMatch(/\n|node_modules|\.ts:/);
      return text;
    };
    expect(await refused('show_instance', { instance: 'ft99' })).toMatch(
      /^unknown_instance: ‹.*list_instances/,
    );
    expect(await refused('validate_plan', { instance: 'ft06', plan: '[{"job":1}]' })).toMatch(
      /\$\[0\]\.start/,
    );
    const plan = wrong;
    const args = { instance: 'ft06', plan, events: [breakdown] };
    expect(await refused('explain', args)).toMatch(/infeasible_plan.*repair_plan/);
    const lost = { instance: 'ft06', plan: 'alas://results/0123' };
    expect(await refused('validate_plan', lost)).toMatch(/no_result/);
    // An argument of another name is not passed over.
    expect(await refused('optimize', { instance: 'ft06', plan: wrong })).toMatch(
      /use one of.*start/,
    );
    expect(await refused('validate_plan', { instance: 'ft06' })).toMatch(/plan: give entries/);
    expect(await refused('show_instance', { instance: '../package.json' })).toMatch(/no benchmark/);
    const one = { name: 'optimize', arguments: { instance: 'ft06', seconds: -1 } };
    expect(textOf(await agent.client.callTool(one))).toMatch(/seconds/);
  });

  it('hears of the progress of a search', async () => {
    const heard: number[] = [];
    const result = await agent.client.callTool(
      { name: 'optimize', arguments: { instance: 'ta41', seconds: 0.8 } },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(result.isError).toBeFalsy();
    expect(heard.length).toBeGreaterThan(1);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  });

  it('calls a search off, and the server is free again', async () => {
    const off = new AbortController();
    let refused: unknown;
    const quick = { name: 'optimize', arguments: { instance: 'ft06', seconds: 0.1 } };
    const isWorking = async () => textOf(await agent.client.callTool(quick)).startsWith('busy');
    const search = agent.client.callTool(
      { name: 'optimize', arguments: { instance: 'ta41', seconds: 50 } },
      {
        signal: off.signal,
        onprogress: async () => {
          refused ??= await isWorking();
          off.abort(new Error('enough'));
        },
      },
    );
    await expect(search).rejects.toThrow(/enough/);
    expect(refused).toBe(true);
    await expect.poll(isWorking, { timeout: 10_000 }).toBe(false);
  });

  it('finds prompts and resources of suites, with completion', async () => {
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      ...['plan_instance', 'evaluate_suite', 'handle_event'],
    ]);
    const { messages } = await agent.client.getPrompt({
      ...{ name: 'plan_instance', arguments: { instance: 'ft06' } },
    });
    expect(JSON.stringify(messages)).toContain('‹ft06›');
    const { completion } = await agent.client.complete({
      ref: { type: 'ref/prompt', name: 'plan_instance' },
      argument: { name: 'instance', value: 'ft' },
    });
    const kinds = ['edata', 'rdata', 'sdata', 'vdata'];
    const flexible = ['ft06', 'ft10', 'ft20'].flatMap((name) =>
      kinds.map((kind) => `${name}_${kind}`),
    );
    expect(completion.values.toSorted()).toEqual(['ft06', 'ft10', 'ft20', ...flexible].toSorted());
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('alas://suites/ft');
    const suite = JSON.parse(await read(agent, { uri: 'alas://suites/ft' })) as {
      instances: { instance: string }[];
    };
    expect(suite.instances.map(({ instance }) => instance)).toEqual(['ft06', 'ft10', 'ft20']);
    const text = await read(agent, { uri: 'alas://instances/ft06' });
    expect(parseInstance(text).operations).toBe(36);
    await expect(read(agent, { uri: 'alas://instances/..%2F..' })).rejects.toThrow();
  });
});

it('an agent gets short answers of the largest benchmarks, and the rest by its address', async () => {
  const agent = await agentOverStreams();
  const plan = Array.from({ length: 2000 }, (_, i) => ({
    ...{ job: `Job${Math.floor(i / 20) + 1}`, step: (i % 20) + 1 },
    ...{ machine: `Machine${i % 20}`, start: i % 7, end: i },
  }));
  const { result, report, more } = await callTool(agent, 'validate_plan', {
    ...{ instance: 'ta80', plan },
  });
  expect(JSON.stringify(result.content).length).toBeLessThan(SHORT);
  expect(more).toBeGreaterThan(0);
  const full = JSON.parse(await read(agent, report as { uri: string })) as { total: number };
  expect(full.total).toBeGreaterThan(2000);
  const repaired = await callTool(agent, 'repair_plan', { instance: 'ta80', plan });
  const { uri } = repaired.plan as { uri: string };
  const events = [{ kind: 'breakdown', machine: 'Machine0', from: 100, to: 900 }];
  const tried = await callTool(agent, 'propose_event', {
    ...{ instance: 'ta80', plan: uri, events, policies: ['default', 'high-stability'] },
  });
  expect(JSON.stringify(tried.result.content).length).toBeLessThan(SHORT);
  await agent.leave();
});

interface Trial {
  readonly moved: number;
  readonly makespan: { readonly after: number };
  readonly plan: { readonly uri: string };
  readonly instance: { readonly uri: string };
}

/** The text of a resource. */
async function read({ client }: ConnectedAgent, { uri }: { uri: string }): Promise<string> {
  const [content] = (await client.readResource({ uri })).contents;
  return 'text' in content ? content.text : '';
}

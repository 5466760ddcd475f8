import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runBenchmark } from '../../src/harness/run/run.js';
import { type ChatAnswer, type ChatRequest, type Endpoint, startEndpoint } from './endpoint.js';
import { AGENTS, agentOf, answerByScript } from './scripted-team.js';

// As install.sh has them.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const places = {
  autogen: 'autogen-0.7.5',
  crewai: 'crewai-1.15.30',
  langgraph: 'langgraph-1.2.24',
  openai_agents: 'openai-agents-0.24.0',
};
const teams = Object.entries(places)
  .map(([name, place]) => ({ name, place: join(home, place) }))
  .filter(({ place }) => existsSync(join(place, 'installed.txt')));

const planners = teams.map(({ name, place }) => {
  const program = join(place, 'bin', 'python');
  return `${name}=exec:'${program}' examples/planners/${name}_team.py model-of-${name}`;
});

let behave: (request: ChatRequest) => ChatAnswer;
let endpoint: Endpoint;
beforeEach(async () => {
  endpoint = await startEndpoint((request) => behave(request));
  vi.stubEnv('OPENAI_BASE_URL', endpoint.url);
  vi.stubEnv('OPENAI_API_KEY', 'a-key');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

const run = async (some: readonly string[]) =>
  (await runBenchmark({ suite: 'ft06', planners: some, workers: 2 })).records;

describe.skipIf(teams.length === 0)('teams of agents of other frameworks', () => {
  it('hand over the plan of their last agent, and the tokens of all of them', async () => {
    let last = '';
    behave = (request) => {
      const answer = answerByScript(request);
      if (agentOf(request) === 'supervisor') last = answer.text;
      return answer;
    };
    const records = await run(planners);
    expect(records.map(({ planner }) => planner)).toEqual(teams.map(({ name }) => name));
    for (const record of records) {
      const asked = endpoint.requests.filter(({ model }) => model.endsWith(record.planner));
      expect(asked.map(agentOf), record.planner).toEqual(AGENTS);
      const makespan = Math.max(
        ...[...last.matchAll(/"end":(\d+)/g)].map(([, end]) => Number(end)),
      );
      expect(record).toMatchObject({ status: 'ok', error: null, makespan, violations: {} });
      expect(record.tokens).toEqual({ input: 300, output: 60, estimated: false });
      expect(record.cost_usd).toBeNull();
    }
  });

  it('are judged by the plan that they agree on, not by a better one on the way', async () => {
    const swapped = new Map([
      ['job scheduler', 'supervisor'],
      ['supervisor', 'job scheduler'],
    ]);
    behave = (request) => answerByScript(request, swapped.get(agentOf(request)));
    for (const record of await run(planners.slice(-1))) {
      expect(record).toMatchObject({ status: 'infeasible', makespan: null, error: null });
      expect(record.violations?.machine_overlap).toBeGreaterThan(0);
    }
  });

  it('say in one line why there is no plan', async () => {
    behave = () => ({ status: 401, message: 'this key is not known' });
    for (const record of await run(planners)) {
      expect(record).toMatchObject({ status: 'error', makespan: null });
      expect(record.error).toMatch(/the program ended with exit code 1: .*this key is not known/);
      expect(record.error).not.toContain('\n');
    }
  });
});

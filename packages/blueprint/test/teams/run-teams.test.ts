import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type Json, runWorkflow } from '@alas-jssp/workflow';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import { bundledProblem, decodeAnswer, judge } from '../../../coordination/src/index.js';
import {
  checkDraft,
  compileTeam,
  draftTeam,
  openDraft,
  openFactory,
  teamSchema,
} from '../../src/index.js';

/** Real teams, which are not part of this repository. */
const shared = [
  new URL('../../../../../shared/corpus/teams/', import.meta.url).pathname,
  process.env.TEAMS ?? '',
].find((directory) => directory !== '' && existsSync(directory));

/**
 * The problems that the coordination package can judge, by a part of the file's name, and the rules that the recorded
 * plans break: none of them is feasible.
 */
const JUDGED = {
  Wedding: { problem: 'wedding', codes: ['missing_activity', 'too_few_people'] },
  Thanksgiving: {
    problem: 'thanksgiving',
    codes: ['missing_activity', 'outside_window', 'repeated_activity', 'too_few_people'],
  },
} as const;

interface TeamFileAgent {
  readonly name: string;
  readonly task_description: string;
  readonly tools?: string;
}

interface RecordedAnswer {
  readonly agent: string;
  readonly text: string;
}

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Drafts a team and runs it against a local server, which answers with the recorded answers or stand-ins. */
async function runTeam(file: string) {
  const json = JSON.parse(readFileSync(join(shared as string, file), 'utf8'));
  const team = teamSchema.parse(json);
  const { template } = compileTeam(team);
  const answers = answersOf(template, json.agents, json.answers ?? []);
  const server = await startChatServer(({ body }) => {
    const [{ content }] = body.messages;
    const [id] = Object.keys(answers).filter((one) => content.includes(`You are ${one},`));
    return { kind: 'answer', text: JSON.stringify(answers[id]) };
  });
  const factory = openFactory();
  const draft = await draftTeam(team, {
    file,
    check: checkDraft,
    equip: factory.equip,
    agents: `openai-compatible:local@${server.url}/v1`,
    log: createMemoryStore(),
  });
  await factory.close();
  const directory = mkdtempSync(join(tmpdir(), 'team-'));
  directories.push(directory);
  vi.stubEnv('TEAM_FILES', directory);
  const opened = await openDraft(draft, { directory });
  const store = createMemoryStore();
  const result = await runWorkflow(opened.workflow, {}, { registry: opened.registry, store });
  await opened.close();
  return { draft, result, directory, answers, template };
}

/** The answer of each agent by its id: what was recorded, else a stand-in, in the form of its output. */
function answersOf(
  { roles }: ReturnType<typeof compileTeam>['template'],
  agents: readonly TeamFileAgent[],
  recorded: readonly RecordedAnswer[],
): Record<string, Json> {
  const left = [...recorded];
  const seen = new Map<string, number>();
  return Object.fromEntries(
    agents.map(({ name, task_description }): [string, Json] => {
      const at = left.findIndex(({ agent }) => agent === name);
      const answer = at < 0 ? `stand-in for the answer of ${name}` : left.splice(at, 1)[0].text;
      const slug =
        name
          .toLowerCase()
          .match(/[a-z0-9]+/g)
          ?.join('-') ?? '';
      const count = (seen.get(slug) ?? 0) + 1;
      seen.set(slug, count);
      const id =
        roles.find((one) => one.id === (count === 1 ? slug : `${slug}-${count}`))?.id ?? '';
      const file = /'\.\/([\w.-]+)'/.exec(task_description)?.[1];
      return [
        id,
        file === undefined ? { text: answer } : { string_data: answer, txt_filename: `./${file}` },
      ];
    }),
  );
}

const files =
  shared === undefined ? [] : readdirSync(shared).filter((one) => one.endsWith('.json'));

describe.skipIf(shared === undefined)('real teams', () => {
  it('are eight', () => expect(files).toHaveLength(8));

  it.each(files)('%s is drafted, and runs against a local endpoint', async (file) => {
    const { draft, result, directory, answers, template } = await runTeam(file);
    expect(draft.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(draft.passed).toBe(true);
    expect({ status: result.status, error: result.error }).toEqual({
      status: 'COMPLETED',
      error: undefined,
    });
    const kinds = draft.agents.map(({ implementation }) => implementation.kind);
    expect(kinds.filter((kind) => kind === 'prompt')).toHaveLength(Object.keys(answers).length);
    const writers = template.nodes.filter(({ work }) => work === 'tool');
    for (const { id } of writers) {
      const proposed = answers[id.replace(/-file$/, '')] as {
        string_data: string;
        txt_filename: string;
      };
      expect(readFileSync(join(directory, proposed.txt_filename), 'utf8')).toBe(
        proposed.string_data,
      );
      expect(draft.undo.find(({ node }) => node === id)?.verdict).toBe('proven');
    }
  });

  it.each(Object.entries(JUDGED))('%s: the recorded plan is judged', (part, { problem, codes }) => {
    const file = files.find((one) => one.includes(part)) ?? '';
    const { answers, agents } = JSON.parse(readFileSync(join(shared as string, file), 'utf8'));
    const writers = agents.flatMap(({ name, tools }: TeamFileAgent) => (tools ? [name] : []));
    const plans = answers.filter(({ agent }: RecordedAnswer) => !writers.includes(agent));
    const { plan } = decodeAnswer(bundledProblem(problem), plans.at(-1).text);
    if (plan === null) throw new Error('the recorded plan cannot be read');
    const { valid, violations } = judge(bundledProblem(problem), plan);
    expect(valid).toBe(false);
    expect([...new Set(violations.map(({ code }) => code))].sort()).toEqual(codes);
  });

  it('have no judge for a poem and for predicted prices', () => {
    const answered = files.filter((file) => {
      const { answers } = JSON.parse(readFileSync(join(shared as string, file), 'utf8'));
      return (answers ?? []).length > 0;
    });
    const judged = (file: string) => Object.keys(JUDGED).some((part) => file.includes(part));
    expect(answered.filter((file) => !judged(file))).toEqual([
      'multiagent-P11stock-prediction.json',
      'multiagent.json',
    ]);
  });
});

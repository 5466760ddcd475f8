import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GuardPolicyDraft, openGuard, type ToolRulesDraft } from '../../src/index.js';

/** The server of tests, and rules for its tools. */
export const SERVER = new URL('records-server.mjs', import.meta.url).pathname;

/** Rules with which every change can be looked for. */
export const RULES = {
  find: { access: 'read' },
  get: { access: 'read' },
  add: {
    access: 'change',
    inverse: { tool: 'remove', input: { id: 'found.found.0.id' } },
    check: { tool: 'find', input: { text: 'input.text' }, done: '$count($found.found) > 0' },
  },
  set: {
    access: 'change',
    before: { tool: 'get', input: { id: 'input.id' } },
    inverse: { tool: 'set', input: { id: 'input.id', text: 'before.text' }, idempotent: true },
  },
  remove: { access: 'irreversible', approval: { by: ['ann'] }, errors: 'change-nothing' },
  send: { access: 'irreversible' },
} satisfies Readonly<Record<string, ToolRulesDraft>>;

export interface World {
  readonly directory: string;
  readonly file: string;
  readonly log: string;
  records(): readonly { readonly id: string; readonly text: string }[];
  texts(): readonly string[];
  sent(): string;
  /** Lets calls that wait go on. */
  openGate(): void;
  /** Waits until the server has received a call with a mode. */
  called(): Promise<void>;
  policy(
    modes?: readonly string[],
    changes?: Partial<GuardPolicyDraft>,
    rules?: Readonly<Record<string, ToolRulesDraft>>,
  ): GuardPolicyDraft;
}

/** A directory with the records of a test. */
export function createWorld(): World {
  const directory = mkdtempSync(join(tmpdir(), 'guard-'));
  const file = join(directory, 'records.json');
  const records = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  return {
    directory,
    file,
    log: join(directory, 'log.db'),
    records,
    texts: () => records().map(({ text }: { text: string }) => text),
    sent: () => (existsSync(`${file}.sent`) ? readFileSync(`${file}.sent`, 'utf8') : ''),
    openGate: () => writeFileSync(`${file}.gate`, ''),
    async called() {
      while (!existsSync(`${file}.called`)) await sleep(5);
    },
    policy: (modes = [], changes = {}, rules = RULES) => ({
      schema: 'alas-jssp/guard@1',
      approvers: ['ann', 'bob'],
      lateAnswerSeconds: 0.3,
      servers: {
        records: { command: [process.execPath, SERVER, file, ...modes], tools: rules },
      },
      ...changes,
    }),
  };
}

export function open(world: World, ...given: Parameters<World['policy']>) {
  return openGuard({ log: world.log, policy: world.policy(...given) });
}

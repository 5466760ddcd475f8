import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { type Candidate, isSchedule, scheduleFromPlan } from '../../../src/jssp/plan.js';
import { createPlanner, plannerSpecs } from '../../../src/pipeline/planners/planners.js';
import { plainPlanner } from './plain-planner.js';

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
const dueTiny = replaceInstance(tiny, { due: Int32Array.of(5, 9) });
const context = { seed: 1 };
const plan = {
  entries: [
    { job: 0, step: 0, machine: 0, start: 0, end: 3 },
    { job: 1, step: 0, machine: 0, start: 3, end: 7 },
  ],
  makespan: 7,
};

function startsOf(candidate: Candidate): number[] {
  return [...(isSchedule(candidate) ? candidate : scheduleFromPlan(tiny, candidate)).start];
}

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('createPlanner', () => {
  it('makes every planner that is listed, under the listed name', async () => {
    for (const { spec, description } of plannerSpecs) {
      expect(description).not.toBe('');
      if (/[A-Z]/.test(spec)) continue;
      const planner = plainPlanner(spec);
      expect(planner.name).toBe(spec);
      const starts = startsOf(await planner.plan(dueTiny, context));
      const plans =
        spec === 'empty'
          ? [[-1, -1]]
          : [
              [0, 3],
              [4, 0],
            ];
      expect(plans.map(String)).toContain(starts.join());
    }
  });

  it('lists what there is when it is asked for something else', () => {
    expect(() => createPlanner('magic')).toThrow(
      /there is no planner 'magic'; use one of dispatch:best, .*insertion.*file:PATTERN, transcripts:FILE, openai:MODEL, .*replay:DIR, module:PATH/,
    );
  });
});

describe('a file planner', () => {
  it('hands over the plan in the file of the instance, claims and all', async () => {
    fileOf('tiny.json', writePlanJson(plan, { instance: 'tiny' }));
    const planner = plainPlanner(`file:${directory}/{instance}.json`);
    expect(await planner.plan(tiny, context)).toEqual(plan);
  });

  it('serves every instance from one file where the pattern has no placeholder', async () => {
    const path = fileOf('any.json', writePlanJson(plan));
    expect(await plainPlanner(`file:${path}`).plan(tiny, context)).toEqual(plan);
  });

  it('rejects for an instance that has no file, and names the file', async () => {
    const planner = plainPlanner(`file:${directory}/{instance}.absent`);
    await expect(planner.plan(tiny, context)).rejects.toThrow('tiny.absent');
  });

  it('refuses a plan that says it is for another instance, but not another spelling', async () => {
    const path = fileOf('other.json', writePlanJson(plan, { instance: 'ft06' }));
    const planner = plainPlanner(`file:${path}`);
    await expect(planner.plan(tiny, context)).rejects.toThrow(
      'other.json: this is a plan for ft06, not for tiny',
    );
    const alias = instanceFromJobs('MT6', [[[0, 3]], [[0, 4]]]);
    expect(await planner.plan(alias, context)).toEqual(plan);
  });

  it.each([
    ['file:', 'file: names no file'],
    ['file:plans/{name}.json', 'there is no placeholder {name}'],
    ['file:no/such/folder/{instance}.json', 'no/such/folder: there is no such file or folder'],
    ['file:no-such-plan.json', 'no-such-plan.json: there is no such file or folder'],
  ])('refuses %s', (spec, message) => {
    expect(() => createPlanner(spec)).toThrow(message);
  });
});

describe('a module planner', () => {
  const answer = `{ entries: ${JSON.stringify(plan.entries)} }`;

  it.each([
    [
      'an object called planner',
      `export const planner = { answer: ${answer}, plan() { return this.answer } }`,
    ],
    ['a function called planner', `export function planner() { return ${answer} }`],
    ['a default object', `export default { plan: async () => (${answer}) }`],
    ['a default function', `export default async () => (${answer})`],
  ])('may be %s', async (what, code) => {
    const path = fileOf(`${what.replaceAll(' ', '-')}.mjs`, code);
    const candidate = await plainPlanner(`module:${path}`).plan(tiny, context);
    expect(candidate).toEqual({ entries: plan.entries });
  });

  it('is handed instance and seed', async () => {
    const path = fileOf(
      'handed.mjs',
      `export const planner = ({ duration }, { seed }) => ({
        entries: [{ job: 0, step: 0, machine: 0, start: seed, end: duration[0] }],
      })`,
    );
    const candidate = await plainPlanner(`module:${path}`).plan(tiny, { seed: 42 });
    expect(candidate).toEqual({ entries: [{ job: 0, step: 0, machine: 0, start: 42, end: 3 }] });
  });

  it('gives nothing but start times where it returns a schedule', async () => {
    const path = fileOf(
      'cheat.mjs',
      `export const planner = () => ({
        instance: 'mine', start: Int32Array.of(0, 3), end: Int32Array.of(1, 4), makespan: 4,
      })`,
    );
    const candidate = await plainPlanner(`module:${path}`).plan(tiny, context);
    expect(candidate).toMatchObject({ instance: tiny, makespan: 7, end: Int32Array.of(3, 7) });
  });

  it.each([
    ['nothing.mjs', 'export const other = 1', 'the module exports no planner'],
    ['number.mjs', 'export default () => 42', 'the planner returned neither a plan nor a schedule'],
    ['short.mjs', 'export default () => ({ start: new Int32Array(1) })', '1 start times for 2'],
    [
      'throwing.mjs',
      'throw new Error("at import")',
      'throwing.mjs: the module cannot be loaded: at import; mend it until node',
    ],
    ['hurling.mjs', 'throw 7', 'the module cannot be loaded: 7 was thrown'],
    [
      'lonely.mjs',
      'import "./friend.mjs"',
      "the module cannot be loaded: Cannot find module './friend.mjs'; mend",
    ],
    ['poor.mjs', 'import "no-such-package"', "Cannot find package 'no-such-package'; mend"],
  ])('rejects when %s is no good', async (name, code, message) => {
    const planner = plainPlanner(`module:${fileOf(name, code)}`);
    await expect(planner.plan(tiny, context)).rejects.toThrow(message);
  });

  it('is refused when there is no such module', () => {
    expect(() => createPlanner('module:nowhere.mjs')).toThrow(
      'nowhere.mjs: there is no such module',
    );
    expect(() => createPlanner(`module:${directory}`)).toThrow('this is a directory, not a module');
  });
});

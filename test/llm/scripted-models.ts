import { createCalendar, type MachineDowntime } from '../../src/jssp/calendar.js';
import { createInstance, type Instance } from '../../src/jssp/instance.js';
import { planFromSchedule } from '../../src/jssp/plan.js';
import type { Answer, Ask, LlmRequest } from '../../src/llm/client.js';
import type { PlanFormat } from '../../src/llm/planner-spec.js';
import { planFormats } from '../../src/llm/prompts/formats.js';
import { dispatch } from '../../src/search/index.js';
import { offsetsOf } from '../arbitraries.js';

/** The answer that a text is, as a provider would give it. */
export function answer(text: string, request: LlmRequest): Answer {
  const tokens = { input: 10, output: text.length, estimated: false };
  const about = { model: request.model, requestId: null, seconds: 0, usd: 0, stored: false };
  return { text, finish: 'stop', tokens, ...about };
}

/** What the user's message of a request says. */
export function questionOf({ messages }: LlmRequest): string {
  return messages.find(({ role }) => role === 'user')?.content ?? '';
}

/** Reads an instance out of a prompt, by nothing but what the prompt says. */
export function readShop(prompt: string): Instance {
  const lines = prompt.split('\n');
  const machines = Number(/machines Machine0 to Machine(\d+)\./.exec(lines[0])?.[1]) + 1;
  const jobs = new Map<number, string>();
  const downtimes: MachineDowntime[] = [];
  for (const line of lines) {
    const [, number, rest] = /^Job(\d+): (.*)$/.exec(line) ?? [];
    if (number !== undefined) jobs.set(Number(number) - 1, rest);
    const [, machine, times] = /^Machine(\d+): (.*)$/.exec(line) ?? [];
    for (const [, from, to, mark] of (times ?? '').matchAll(/(\d+) to (\d+)(~?)/g)) {
      const isMarked = mark === '~';
      downtimes.push({ machine: +machine, from: +from, to: +to, resumable: isMarked });
    }
  }
  const count = Math.max(-1, ...jobs.keys()) + 1;
  const all = Array.from({ length: count }, (_, job) => jobs.get(job) ?? '');
  const operations = all.map((text) => [...text.matchAll(/M(\d+) (\d+)(?: @(\d+))?(?: =(\d+))?/g)]);
  const column = (index: number, missing: number) =>
    Int32Array.from(operations.flat(), (match) => Number(match[index] ?? missing));
  const perJob = (pattern: RegExp, missing: number) =>
    Int32Array.from(all, (text) => Number(pattern.exec(text)?.[1] ?? missing));
  return createInstance({
    name: 'read',
    machines,
    jobOffset: offsetsOf(operations.map(({ length }) => length)),
    machine: column(1, 0),
    duration: column(2, 0),
    release: column(3, 0),
    frozen: column(4, -1),
    due: perJob(/; due (\d+)/, -1),
    weight: perJob(/, weight (\d+)/, 1),
    deadline: perJob(/; deadline (\d+)/, -1),
    calendar: createCalendar(machines, downtimes),
  });
}

/** A model that plans what its prompt asks for by a priority rule, and finds no fault with plans. */
export function heuristicModel(format: PlanFormat): Ask {
  return async (request) => {
    const prompt = questionOf(request);
    if (/\bsay OK\b/.test(prompt)) return answer('OK.', request);
    const { entries } = planFromSchedule(dispatch(readShop(prompt), { rule: 'mwkr' }));
    const text = planFormats[format].write(entries);
    if (request.shape === undefined) return answer(`${text}\nnext: nobody`, request);
    const plan = format === 'csv' ? { csv: text } : JSON.parse(text);
    return answer(JSON.stringify({ ...plan, next: 'nobody' }), request);
  };
}

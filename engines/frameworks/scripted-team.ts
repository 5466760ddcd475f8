import { type ChatAnswer, type ChatRequest, textOf } from './endpoint.js';

/** An operation of a job: its machine and duration. */
type Operation = readonly [machine: number, duration: number];

/** The agents, in the order of their turns. */
export const AGENTS = ['job scheduler', 'machine coordinator', 'supervisor'];

/** Which agent a request is for, by the description of its role, which frameworks put first. */
export function agentOf(request: ChatRequest): string {
  const [role] =
    textOf(request).match(/You are the (job scheduler|machine coordinator|supervisor)/g) ?? [];
  return role?.replace('You are the ', '') ?? 'nobody';
}

/**
 * A model that answers by a script: the job scheduler forgets the machines, the coordinator does one job after the other,
 * and the supervisor starts each operation as early as it can in that order. It hands over whenever it can.
 *
 * @param part the agent whose answer it gives. Default: the one that is asked
 */
export function answerByScript(
  request: ChatRequest,
  part = agentOf(request),
): Extract<ChatAnswer, { text: string }> {
  const next = request.tools?.map((tool) => tool.function.name)[0];
  const text = JSON.stringify(scheduleOf(jobsIn(textOf(request)), part));
  const tokens = { input: 100, output: 10 * (1 + AGENTS.indexOf(part)) };
  return { text: `Here it is.\n${text}`, ...(next !== undefined && { call: next }), ...tokens };
}

/** The jobs of a task in words. */
function jobsIn(text: string): Operation[][] {
  const jobs = new Map<string, Operation[]>();
  for (const [, job, steps] of text.matchAll(/^(Job\d+): (Machine.*)$/gm)) {
    const operations = [...steps.matchAll(/Machine(\d+) for (\d+)/g)];
    jobs.set(
      job,
      operations.map(([, machine, duration]) => [Number(machine), Number(duration)]),
    );
  }
  return [...jobs.values()];
}

function scheduleOf(jobs: readonly Operation[][], agent: string) {
  const free = new Map<number, number>();
  let last = 0;
  return jobs.flatMap((operations, job) => {
    let ready = agent === 'machine coordinator' ? last : 0;
    return operations.map(([machine, duration], step) => {
      const start = agent === 'supervisor' ? Math.max(ready, free.get(machine) ?? 0) : ready;
      ready = start + duration;
      free.set(machine, ready);
      last = Math.max(last, ready);
      return {
        job: `Job${job + 1}`,
        step: step + 1,
        machine: `Machine${machine}`,
        start,
        end: ready,
      };
    });
  });
}

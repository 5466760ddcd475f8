// One plan in every notation that the decoder reads, with and without the noise that models put around it, and random
// mutations of such texts.
import type { Random } from '@alas-jssp/core/random';
import type { Instance } from '../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule } from '../../../src/jssp/plan.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';

/** The entries of a plan that every writing of {@link writings} holds, in job order. */
export function writtenEntries(instance: Instance) {
  return planFromSchedule(dispatch(instance, { rule: 'mwkr' })).entries;
}

/** The plan in many ways of writing, by their names. */
export function writings(instance: Instance): Record<string, string> {
  const entries = writtenEntries(instance);
  const jobs = Array.from({ length: instance.jobs }, (_, job) =>
    entries.filter((entry) => entry.job === job),
  );
  const machines = Array.from({ length: instance.machines }, (_, machine) =>
    entries.filter((entry) => entry.machine === machine).toSorted((a, b) => a.start - b.start),
  );

  const each = (write: (entry: PlanEntry) => string, joint = '\n') =>
    entries.map(write).join(joint);
  const byJob = (
    head: (job: number) => string,
    write: (entry: PlanEntry) => string,
    joint = '\n',
  ) => jobs.map((list, job) => `${head(job + 1)}${list.map(write).join(joint)}`).join('\n\n');
  const byMachine = (
    head: (machine: number) => string,
    write: (entry: PlanEntry) => string,
    joint = '\n',
  ) => machines.map((list, m) => `${head(m)}${list.map(write).join(joint)}`).join('\n\n');
  const objects = entries.map(labelled);

  const python = (value: unknown) =>
    JSON.stringify(value).replaceAll('"', "'").replaceAll(',', ', ');
  const orders = Object.fromEntries(
    machines.map((list, m) => [`Machine${m}`, list.map(({ job }) => `Job${job + 1}`)]),
  );
  const paperLines = each(paperLine);
  return {
    json: JSON.stringify(objects),
    'pretty json': JSON.stringify({ makespan: 99, schedule: objects }, null, 2),
    'fenced json': `Here is the plan:\n\n\`\`\`json\n${JSON.stringify({ entries: objects }, null, 1)}\n\`\`\`\nDone.`,
    'json lines': objects.map((object) => JSON.stringify(object)).join('\n'),
    'json by job': JSON.stringify(
      Object.fromEntries(jobs.map((list, job) => [`Job${job + 1}`, list.map(withoutJob)])),
    ),
    'json by job number': JSON.stringify({
      jobs: jobs.map((list, job) => ({ operations: list.map(withoutJob), job: job + 1 })),
    }),
    'python list': `schedule = ${python(objects)}`,
    'json in a string': JSON.stringify({ answer: paperLines }),
    'json sequences': JSON.stringify({ sequences: orders }),
    csv: `job,step,machine,start,end,duration\n${each(({ job, step, machine, start, end }) => [job + 1, step + 1, machine, start, end, end - start].join())}`,
    'csv without a header': each(
      ({ job, step, machine, start, end }) =>
        `Job${job + 1},${step + 1},Machine${machine},${start},${end}`,
    ),
    'markdown table': `| Job | Step | Machine | Start Time | End Time |\n|---|---:|---|---:|---:|\n${each(({ job, step, machine, start, end }) => `| Job ${job + 1} | ${step + 1} | M${machine} | ${start} | **${end}** |`)}`,
    'paper lines': `FINAL MAKESPAN: 99\nSTRUCTURED SCHEDULE:\n${paperLines}`,
    'bold paper lines': each((entry) => `   - **${paperLine(entry).slice(2)}**`),
    'short names': each(
      ({ job, step, machine, start, end }) =>
        `J${job + 1}-O${step + 1} on M${machine}: ${start}-${end}`,
    ),
    'one object a row': each(
      (entry) =>
        `Job_${entry.job + 1}: op ${entry.step + 1}, machine=${entry.machine}, start=${entry.start}, end=${entry.end};`,
      ' ',
    ),
    'job headings': byJob(
      (job) => `### Job ${job} Schedule:\n`,
      ({ step, machine, start, end }) =>
        `- Step ${step + 1}: Machine${machine}, Duration ${end - start}, Start Time ${start}, End Time ${end}`,
    ),
    'arrows and headings': byJob(
      (job) => `**JOB ${job}** (priority ${9 - job}):\n`,
      ({ step, machine, start, end }) =>
        `${step + 1}. Operation ${step + 1}: Machine ${machine} (duration ${end - start}) → Start: ${start}, End: ${end}`,
    ),
    brackets: byJob(
      (job) => `JOB ${job} SCHEDULE\n`,
      ({ step, machine, start, end }) =>
        `- Op${step + 1}: Machine${machine} [${start}-${end}] (${end - start} units)`,
    ),
    'range first': byJob(
      (job) => `Job ${job}:\n`,
      ({ step, machine, start, end }) => `  - Op${step + 1}: ${start}–${end} (Machine${machine})`,
    ),
    'times below': byJob(
      (job) => `#### Job${job}\n`,
      ({ step, machine, start, end }) =>
        `- **Step ${step + 1}**: Machine ${machine}, Duration ${end - start}\n  - **Start Time:** ${start} (as soon as Machine 9 is free)\n  - **End Time:** ${end}`,
    ),
    chains: byJob(
      (job) => `**JOB ${job}:** `,
      ({ machine, start, end }) => `Machine${machine}(${start}-${end})`,
      ' → ',
    ),
    'steps in a row': byJob(
      (job) => `**Job${job} Schedule:**\n`,
      ({ step, machine, start, end }) => `Step ${step + 1}: Machine${machine} (${start}-${end})`,
      ', ',
    ),
    'machine headings': byMachine(
      (machine) => `**Machine M${machine}:**\n`,
      ({ job, step, start, end }) => `- Job${job + 1}-Op${step + 1}: ${start}-${end}`,
    ),
    'machine rows': byMachine(
      (machine) => `- Machine${machine}: `,
      ({ job, step, start, end }) =>
        `Job${job + 1}-Op${step + 1} (${end - start} units) [${start}-${end}]`,
      ', ',
    ),
    pairs: byMachine(
      (machine) => `### Machine ${machine}:\n`,
      ({ job, step, start, end }) => `- Job ${job + 1}, Op ${step + 1}: [${start}, ${end}]`,
    ),
    sequences: byMachine(
      (machine) => `M${machine}: `,
      ({ job }) => `Job ${job + 1}`,
      ', ',
    ),
    'a line each': each(
      ({ job, step, machine, start, end }) =>
        `- Job: Job${job + 1}\n- Step: ${step + 1}\n- Machine: Machine${machine}\n- Start Time: ${start}\n- End Time: ${end}\n- Duration: ${end - start}`,
      '\n\n',
    ),
    'printed message': `messages=[TextMessage(id='1', source='user', content='Plan it.', type='TextMessage'), TextMessage(id='2', source='Planner', content='FINAL MAKESPAN: 99\\n${paperLines.replaceAll('\n', '\\n')}', type='TextMessage')]`,
  };
}

function paperLine({ job, step, machine, start, end }: PlanEntry) {
  return `- Job: Job${job + 1}, Step: ${step + 1}, Machine: Machine${machine}, Start Time: ${start}, End Time: ${end}, Duration: ${end - start}`;
}

function labelled({ job, step, machine, start, end }: PlanEntry) {
  return { job: `Job${job + 1}`, step: step + 1, machine: `Machine${machine}`, start, end };
}

function withoutJob({ machine, start, end }: PlanEntry) {
  return { machine: `Machine${machine}`, start_time: start, end_time: end };
}

const NOISE = [
  ...'{}[]()"\'`|,;:=-*#\\\n \t…→0',
  '...',
  '\\n',
  '99999999999999999999',
  '1e400',
  'Job',
  'Machine A',
  'Step 2-5',
  'Start Time: [tbd]',
  '**Job 2:**',
  'Supervisor Agent: ',
  "content='",
  '8:00 AM',
  '\ud800',
  '\u0000',
  '{"job":',
  'FINAL MAKESPAN: ',
];

/**
 * A text made of others: parts of them cut out, put together, repeated and strewn with noise.
 */
export function mutate(texts: Record<string, string>, random: Random) {
  const all = Object.values(texts);
  /** @template T @param {readonly T[]} list */
  const pick = <T>(list: readonly T[]) => list[random.integer(0, list.length - 1)];
  let text = '';
  for (let part = random.integer(1, 3); part > 0; part--) {
    const source = pick(all);
    const from = random.next() < 0.5 ? 0 : random.integer(0, source.length);
    text += source.slice(
      from,
      random.next() < 0.5 ? source.length : random.integer(from, source.length),
    );
  }
  for (let edits = random.integer(0, 8); edits > 0; edits--) {
    const at = random.integer(0, text.length);
    const gone = random.next() < 0.5 ? 0 : random.integer(0, 12);
    const added = random.next() < 0.8 ? pick(NOISE) : pick(NOISE).repeat(random.integer(2, 40));
    text = text.slice(0, at) + added + text.slice(at + gone);
  }
  return text;
}

import type { Instance } from '../../jssp/instance.js';
import type { PlanEntry } from '../../jssp/plan.js';
import type { AnswerShape } from '../client.js';
import type { PlanFormat } from '../planner-spec.js';

/** A format in which prompts ask for plans. */
export interface FormatText {
  /** JSON Schemas of the members of an answer, for providers that enforce a schema. */
  readonly members: Readonly<Record<string, object>>;
  /** Text of the prompt about the answer, without a shape and with one. */
  readonly plain: string;
  readonly shaped: string;
  /** Writes entries in the format of the answer; jobs and steps from 1, machines from 0. */
  readonly write: (entries: readonly PlanEntry[]) => string;
  /** The part of an answer that `decodePlan` reads. */
  readonly read: (answer: string) => string;
}

const ONLY = 'Answer with it alone: no other words, no code fence, nothing left out or shortened.';

const ENTRIES =
  'The answer is a JSON object {"schedule":[…]} with an element {"job":"Job<number>","step":<number>,"machine":"Machine<number>","start":<time>,"end":<time>} for every operation. Jobs and steps count from 1, machines from 0.';

const CSV =
  'a line for every operation, with five plain numbers: job, step, machine, start, end. Jobs and steps count from 1, machines from 0.';

const SEQUENCES =
  'The answer is a JSON object {"sequences":[{"machine":"Machine<number>","jobs":[<numbers>]},…]}: for every machine the numbers of its jobs, from 1, in the order in which it does them, each as often as it comes to the machine. There are no times in it: every operation starts as early as these orders and the rules allow. The orders must not make operations wait for each other in a circle.';

const OPERATIONS =
  'The answer is a JSON object {"sequences":[{"machine":"Machine<number>","operations":["J<job>.<step>",…]},…]}: for every machine the operations that it does, in that order; jobs and steps count from 1. Every operation is in it exactly once, on one of the machines that can do it. There are no times in it: every operation starts as early as these orders and the rules allow. The orders must not make operations wait for each other in a circle.';

const HEADER = 'job,step,machine,start,end';

/**
 * The formats of requested plans: `entries`, the paper's list of operations with their times; `csv`, the same list as
 * rows of numbers; `sequences`, the order of the jobs on each machine, which takes a fraction of the tokens and
 * contains no times that could be wrong.
 */
export const planFormats: Readonly<Record<PlanFormat, FormatText>> = {
  entries: {
    members: {
      schedule: {
        type: 'array',
        items: objectOf({
          job: { type: 'string' },
          step: { type: 'integer' },
          machine: { type: 'string' },
          start: { type: 'integer' },
          end: { type: 'integer' },
        }),
      },
    },
    plain: `${ENTRIES} ${ONLY}`,
    shaped: ENTRIES,
    write: (entries) => `{"schedule":[\n${entries.map(writeEntry).join(',\n')}\n]}`,
    read: (answer) => answer,
  },
  csv: {
    members: { csv: { type: 'string' } },
    plain: `The answer is CSV: the header ${HEADER}, then ${CSV} ${ONLY}`,
    shaped: `The member "csv" of the answer is CSV, with line breaks: the header ${HEADER}, then ${CSV}`,
    write: (entries) => [HEADER, ...entries.map(writeRow)].join('\n'),
    read: unwrapCsv,
  },
  sequences: {
    members: {
      sequences: {
        type: 'array',
        items: objectOf({
          machine: { type: 'string' },
          jobs: { type: 'array', items: { type: 'integer' } },
        }),
      },
    },
    plain: `${SEQUENCES} ${ONLY}`,
    shaped: SEQUENCES,
    write: writeSequences,
    read: (answer) => answer,
  },
};

/** The parts of a shop that its formats depend on. */
type FormatShop = Pick<Instance, 'modes' | 'precedence'>;

/** The order of the operations on each machine, for shops in which a job and a machine do not name an operation. */
const operationSequences: FormatText = {
  members: {
    sequences: {
      type: 'array',
      items: objectOf({
        machine: { type: 'string' },
        operations: { type: 'array', items: { type: 'string' } },
      }),
    },
  },
  plain: `${OPERATIONS} ${ONLY}`,
  shaped: OPERATIONS,
  write: (entries) =>
    writeOrders(entries, 'operations', ({ job, step }) => `"J${job + 1}.${step + 1}"`),
  read: (answer) => answer,
};

/**
 * The format of the plans of a shop: with alternative machines or precedence graphs, sequences name operations and not
 * only jobs.
 */
export function formatFor(instance: FormatShop | undefined, format: PlanFormat): FormatText {
  const isNamedByJob = !instance || (instance.modes === null && instance.precedence === null);
  return format === 'sequences' && !isNamedByJob ? operationSequences : planFormats[format];
}

/** The shape of an answer with a plan in a format, and with additional members. */
export function planShape(
  format: PlanFormat,
  beside: Readonly<Record<string, object>> = {},
  instance?: FormatShop,
): AnswerShape {
  const { members } = formatFor(instance, format);
  return { name: 'plan', schema: objectOf({ ...members, ...beside }) };
}

/** The JSON Schema of an object that has all of these members and no others. */
function objectOf(properties: Readonly<Record<string, object>>): Record<string, unknown> {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function writeEntry({ job, step, machine, start, end }: PlanEntry): string {
  return `{"job":"Job${job + 1}","step":${step + 1},"machine":"Machine${machine}","start":${start},"end":${end}}`;
}

function writeRow({ job, step, machine, start, end }: PlanEntry): string {
  return [job + 1, step + 1, machine, start, end].join();
}

function writeSequences(entries: readonly PlanEntry[]): string {
  return writeOrders(entries, 'jobs', ({ job }) => job + 1);
}

/** The orders of the machines in a plan; `write` writes an operation as JSON. */
function writeOrders(
  entries: readonly PlanEntry[],
  member: string,
  write: (entry: PlanEntry) => string | number,
): string {
  const queues = new Map<number, PlanEntry[]>();
  for (const entry of entries.toSorted(byTime)) {
    const queue = queues.get(entry.machine);
    if (queue === undefined) queues.set(entry.machine, [entry]);
    else queue.push(entry);
  }
  const lines = [...queues]
    .toSorted(([a], [b]) => a - b)
    .map(([machine, queue]) => {
      return `{"machine":"Machine${machine}","${member}":[${queue.map(write).join()}]}`;
    });
  return `{"sequences":[\n${lines.join(',\n')}\n]}`;
}

function byTime(a: PlanEntry, b: PlanEntry): number {
  return a.start - b.start || a.end - b.end || a.job - b.job || a.step - b.step;
}

/** The rows in the member `csv` of an object, which may be truncated; else the unchanged answer. */
function unwrapCsv(answer: string): string {
  const opening = /^\s*\{[\s\S]{0,200}?"csv"\s*:\s*"/.exec(answer);
  if (opening === null) return answer;
  const rest = answer.slice(opening[0].length);
  const close = rest.indexOf('"');
  return (close < 0 ? rest : rest.slice(0, close)).replaceAll('\\n', '\n').replaceAll('\\r', '');
}

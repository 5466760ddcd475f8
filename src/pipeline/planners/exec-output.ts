import { AlasError, InputError } from '@alas-jssp/core/errors';
import { firstIssue } from '@alas-jssp/core/json-file';
import { checkText } from '@alas-jssp/core/text';
import * as z from 'zod';
import { parsePlanJson } from '../../jssp/formats/plan-json.js';
import { parsePlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import { objectiveOf } from '../../jssp/objectives.js';
import type { Plan } from '../../jssp/plan.js';
import type { PlannerContext, ProcessReport } from '../../jssp/planner.js';
import { decodePlan } from '../../llm/decoding/decode-plan.js';

/** The output of a program as a stream. */
export interface ExecOutput {
  /** @throws InputError that names the line, as soon as a line is neither a message nor part of a plan */
  push(chunk: Buffer): void;
  /**
   * The complete plan in the output outside of messages; null if there is none.
   *
   * @throws InputError if that output is not a plan
   */
  whole(): Plan | null;
  /** The plan of a finished program: the whole plan, or else that of its last message. */
  end(): Plan | null;
  /** The last status that it stated; null if it stated none. */
  readonly status: string | null;
  /** The sum of the tokens that it reported; undefined if it reported none. */
  readonly tokens: ProcessReport['tokens'] | undefined;
}

/** The listeners for its output, and the objective of its bounds. */
type ExecContext = Pick<PlannerContext, 'objective' | 'onPlan' | 'onLowerBound'>;

/** The name of the output in error messages. */
const STDOUT = 'stdout';
/** Maximum size of a plan in bytes: a base, and an addition for each operation. */
const LEAST_ROOM = 2 ** 24;
const ROOM_EACH = 200;

const HINT =
  'print a plan or the messages of docs/reference/planners.md, and everything else to stderr';
const NEWLINE = 0x0a;
const BRACE = 0x7b;

const types = ['plan', 'answer', 'lower_bound', 'status', 'tokens'];
const statuses = ['optimal', 'feasible', 'infeasible', 'unknown'] as const;

const count = z.int().min(0);

/** A line of the protocol, except those with a plan. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan') }),
  z.object({ type: z.literal('answer'), text: z.string() }),
  z.object({ type: z.literal('lower_bound'), value: z.number() }),
  z.object({ type: z.literal('status'), status: z.enum(statuses) }),
  z.object({ type: z.literal('tokens'), input: count, output: count }),
]);

/**
 * Reads the output of a program that plans: JSON lines with a `type`, which are reported immediately, and a whole plan
 * as JSON or CSV.
 */
export function readExecOutput(
  instance: Instance,
  { objective = objectiveOf(instance), onPlan, onLowerBound }: ExecContext,
): ExecOutput {
  const room = LEAST_ROOM + ROOM_EACH * instance.operations;
  let line = createBytes(room);
  const rest = createBytes(room);
  let isInRest = false;
  let lines = 0;
  let last: Plan | null = null;
  let status: string | null = null;
  let tokens: ExecOutput['tokens'];

  const takeOptimum = (plan: Plan): void => {
    // The value of other objectives requires an instance to compute it.
    if (status === 'optimal' && objective === 'makespan') onLowerBound?.(lastEnd(plan));
  };
  const takeMessage = (bytes: Buffer, message: { readonly type?: unknown }): void => {
    const { data, error } = messageSchema.safeParse(message);
    if (error !== undefined) {
      const { problem, path } = firstIssue(error, message);
      const isKnown = types.some((type) => type === message.type);
      const words = isKnown ? problem : `there is no message of the type ${inJson(message.type)}`;
      throw new InputError('bad_message', words, HINT, { file: STDOUT, line: lines, path });
    }
    if (data.type === 'lower_bound') onLowerBound?.(data.value);
    else if (data.type === 'plan') {
      last = planOfMessage(bytes, message, instance, lines);
      onPlan?.(last);
    } else if (data.type === 'answer') {
      const { plan } = decodePlan(data.text, instance);
      // An answer without a schedule, such as a closing remark, does not replace a plan.
      if (last !== null && plan.entries.length === 0) return;
      last = plan;
      onPlan?.(last);
    } else if (data.type === 'tokens') {
      const { input = 0, output = 0 } = tokens ?? {};
      tokens = { input: input + data.input, output: output + data.output };
    } else {
      status = data.status;
      if (last !== null) takeOptimum(last);
    }
  };
  const takeLine = (): void => {
    lines++;
    const bytes = line.read();
    line = bytes.length > LEAST_ROOM ? createBytes(room) : line.clear();
    const message = bytes[0] === BRACE ? messageIn(bytes) : null;
    if (message === null) rest.add(bytes);
    else takeMessage(bytes, message);
  };
  const output: ExecOutput = {
    push(chunk) {
      for (let from = 0; from < chunk.length; ) {
        const mayBeMessage = line.length > 0 || (!isInRest && chunk[from] === BRACE);
        // Lines that do not begin with a brace are not messages, so they are read in one piece up to the next brace.
        const found = mayBeMessage ? chunk.indexOf(NEWLINE, from) : chunk.indexOf('\n{', from);
        const to = found < 0 ? chunk.length : found + 1;
        const part = chunk.subarray(from, to);
        if (mayBeMessage) {
          line.add(part);
          if (found >= 0) takeLine();
        } else {
          rest.add(part);
          lines += countLines(part);
          isInRest = part[part.length - 1] !== NEWLINE;
        }
        from = to;
      }
    },
    whole() {
      if (line.length > 0) takeLine();
      const bytes = rest.read();
      if (bytes.toString('latin1', 0, 4096).trim() === '' && isBlank(bytes)) return null;
      const { plan, instance: name } = parsePlan(bytes, STDOUT, instance);
      if (name === undefined || isSameInstanceName(name, instance.name)) {
        takeOptimum(plan);
        return plan;
      }
      throw new InputError(
        'other_instance',
        `this is a plan for ${name}, not for ${instance.name}`,
        'print a plan for the instance that was asked for',
        { file: STDOUT },
        name,
      );
    },
    end() {
      return output.whole() ?? last;
    },
    get status() {
      return status;
    },
    get tokens() {
      return tokens;
    },
  };
  return output;
}

/** The beginning of the JSON form of a value. */
function inJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) lines++;
  return lines;
}

/** A line as a message: an object with a `type`. */
function messageIn(bytes: Buffer): { readonly type: unknown } | null {
  if (!bytes.includes('"type"')) return null;
  try {
    checkText(bytes, STDOUT);
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && 'type' in value ? value : null;
  } catch {
    return null;
  }
}

/** The plan of a message, under `plan` or in the message itself. */
function planOfMessage(bytes: Buffer, message: object, instance: Instance, line: number): Plan {
  try {
    if (!('plan' in message)) return parsePlanJson(bytes, STDOUT, instance).plan;
    return parsePlanJson(Buffer.from(JSON.stringify(message.plan)), STDOUT, instance).plan;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, location } = error;
    throw new InputError(code, problem, hint, { ...location, line }, error.value);
  }
}

function lastEnd({ entries }: Plan): number {
  return entries.reduce((latest, { end }) => Math.max(latest, end), 0);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** A growing buffer of bytes with a limit. */
interface GrowingBytes {
  readonly length: number;
  /** @throws AlasError `too_much_output` beyond the limit */
  add(bytes: Uint8Array): void;
  read(): Buffer;
  clear(): GrowingBytes;
}

function createBytes(limit: number): GrowingBytes {
  let buffer = Buffer.allocUnsafe(1024);
  let length = 0;
  const bytes: GrowingBytes = {
    get length() {
      return length;
    },
    add(more) {
      if (length + more.length > limit) {
        const megabytes = Math.floor(limit / 2 ** 20);
        const problem = `it printed more than ${megabytes} MB that are no message`;
        throw new AlasError('too_much_output', problem);
      }
      if (length + more.length > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, length + more.length));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      buffer.set(more, length);
      length += more.length;
    },
    read: () => buffer.subarray(0, length),
    clear() {
      length = 0;
      return bytes;
    },
  };
  return bytes;
}

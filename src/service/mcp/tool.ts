import type * as z from 'zod';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { writePlanJson } from '../../jssp/formats/plan-json.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { Caller } from '../api/common.js';
import type { WorkProgress } from '../api/work-schemas.js';
import type { WorkSetting } from '../compute/work.js';
import type { ShopDirectory } from '../shops/shop-directory.js';
import type { ResultStore } from './results.js';

/** The things that tools work on, which outlive a connection. */
export interface AgentWorld {
  readonly results: ResultStore;
  /** Has a tool computed in a thread, within the limits of the service. */
  readonly compute: (request: ToolRequest, options: ToolWork) => Promise<unknown>;
  /** The shops of the service, where there is one. */
  readonly directory?: ShopDirectory | undefined;
  /** The folder whose files tools may read, as an absolute path without links; none if there is none. */
  readonly folder?: string | undefined;
  /** Told of mistakes of ours, with the stack; agents only hear that there was one. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** A call of a tool as it goes to a thread. */
export interface ToolRequest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Who waits for a thread, and how to tell of progress. */
export interface ToolWork {
  readonly caller: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: WorkProgress) => void;
}

/** A call of a tool, and who calls. */
export interface ToolCall extends AgentWorld {
  readonly caller: Caller;
}

/** The answer of a tool, short enough for a context. */
export interface ToolAnswer<Answer> {
  /** A `uri` of it that is `#` and a key stands for the document of that key. */
  readonly answer: Answer;
  /** Whatever is too long for the answer. */
  readonly documents?: Readonly<Record<string, ToolDocument>> | undefined;
}

/** A document that an answer points to. */
export interface ToolDocument {
  readonly name: string;
  readonly description: string;
  /** JSON. */
  readonly text: string;
}

/** A tool as agents see it. */
interface ToolFace<Input extends z.ZodObject, Answer extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The least role that may call it. */
  readonly role: Caller['role'];
  readonly input: Input;
  readonly answer: Answer;
  /** Whether it changes a shop; the others change nothing anywhere. */
  readonly writes?: boolean | undefined;
}

/** A tool that answers at once, or asks a shop. */
export interface DirectTool<Input extends z.ZodObject, Answer extends z.ZodObject>
  extends ToolFace<Input, Answer> {
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer<z.input<Answer>>>;
}

/** A tool that computes, in a thread. */
export interface ThreadTool<Input extends z.ZodObject, Answer extends z.ZodObject>
  extends ToolFace<Input, Answer> {
  /** @param input with documents in place of what names them (`resolveInputs`) */
  perform(input: z.output<Input>, setting: WorkSetting): Promise<ToolAnswer<z.input<Answer>>>;
}

/** Helps the compiler to the types of a tool that answers at once. */
export function directTool<Input extends z.ZodObject, Answer extends z.ZodObject>(
  tool: DirectTool<Input, Answer>,
): DirectTool<Input, Answer> {
  return tool;
}

/** Helps the compiler to the types of a tool that computes. */
export function threadTool<Input extends z.ZodObject, Answer extends z.ZodObject>(
  tool: ThreadTool<Input, Answer>,
): ThreadTool<Input, Answer> {
  return tool;
}

/** Rows of a list in an answer: the worst; the rest is behind an address. */
export const WORST = 10;

/** A schedule as a plan that other tools take. */
export function planDocumentOf(schedule: Schedule): ToolDocument {
  const text = writePlanJson(schedule);
  return { text, name: 'plan', description: 'The whole plan, as JSON; tools take this address' };
}

/** An instance as it is after events. */
export function instanceDocumentOf({ instance }: Schedule): ToolDocument {
  const text = writeInstanceJson(instance);
  return { text, name: 'instance', description: 'The instance after the events, for the plan' };
}

import { type Schedule, writeInstanceJson, writePlanJson } from 'alas-jssp/jssp';
import type * as z from 'zod';
import type { Caller } from '../api/common.js';
import type { WorkProgress } from '../api/work-schemas.js';
import type { WorkSetting } from '../compute/work.js';
import type { ShopDirectory } from '../shops/shop-directory.js';
import type { ResultStore } from './results.js';

/** The dependencies of tools, which outlive a connection. */
export interface AgentWorld {
  readonly results: ResultStore;
  /** Computes a tool in a thread, within the limits of the service. */
  readonly compute: (request: ToolRequest, options: ToolWork) => Promise<unknown>;
  /** The shops of the service, if there is one. */
  readonly directory?: ShopDirectory | undefined;
  /** The folder whose files tools may read, as an absolute path without links. Default: none. */
  readonly folder?: string | undefined;
  /** Receives internal errors with their stacks; agents receive only the fact. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** A tool call for a thread. */
export interface ToolRequest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The caller of a computation, and the listener of its progress. */
export interface ToolWork {
  readonly caller: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: WorkProgress) => void;
}

/** A tool call with its caller. */
export interface ToolCall extends AgentWorld {
  readonly caller: Caller;
}

/** The answer of a tool, short enough for the context of an agent. */
export interface ToolAnswer<Answer> {
  /** A `uri` in it of the form `#key` refers to the document with that key. */
  readonly answer: Answer;
  /** Documents that are too long for the answer. */
  readonly documents?: Readonly<Record<string, ToolDocument>> | undefined;
}

/** A document that an answer refers to. */
export interface ToolDocument {
  readonly name: string;
  readonly description: string;
  /** JSON. */
  readonly text: string;
}

/** The interface of a tool for agents. */
interface ToolFace<Input extends z.ZodObject, Answer extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The least role that may call it. */
  readonly role: Caller['role'];
  readonly input: Input;
  readonly answer: Answer;
  /** Whether it changes a shop; other tools change nothing. */
  readonly writes?: boolean | undefined;
}

/** A tool that answers at once, or calls a shop. */
export interface DirectTool<Input extends z.ZodObject, Answer extends z.ZodObject>
  extends ToolFace<Input, Answer> {
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer<z.input<Answer>>>;
}

/** A tool that computes in a thread. */
export interface ThreadTool<Input extends z.ZodObject, Answer extends z.ZodObject>
  extends ToolFace<Input, Answer> {
  /** @param input with documents in place of references (`resolveInputs`) */
  perform(input: z.output<Input>, setting: WorkSetting): Promise<ToolAnswer<z.input<Answer>>>;
}

/** Infers the types of a tool that answers at once. */
export function directTool<Input extends z.ZodObject, Answer extends z.ZodObject>(
  tool: DirectTool<Input, Answer>,
): DirectTool<Input, Answer> {
  return tool;
}

/** Infers the types of a tool that computes. */
export function threadTool<Input extends z.ZodObject, Answer extends z.ZodObject>(
  tool: ThreadTool<Input, Answer>,
): ThreadTool<Input, Answer> {
  return tool;
}

/** Rows of a list in an answer: the worst ones; the full list has an address. */
export const WORST = 10;

/** A schedule as a plan document for other tools. */
export function planDocumentOf(schedule: Schedule): ToolDocument {
  const text = writePlanJson(schedule);
  return { text, name: 'plan', description: 'The whole plan, as JSON; tools take this address' };
}

/** The instance of a schedule, after events, as a document. */
export function instanceDocumentOf({ instance }: Schedule): ToolDocument {
  const text = writeInstanceJson(instance);
  return { text, name: 'instance', description: 'The instance after the events, for the plan' };
}

import { AlasError } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';

/** A tool as its server lists it. Nothing in it is trusted. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** The answer of a tool, in the form of MCP. */
export interface ToolAnswer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A process on this host in which calls may act: all processes of its group. */
export interface ServerProcess {
  readonly pid: number;
  /** The start of the process as the system counts it; tells it from a later process of that number. */
  readonly started: string;
}

/** How a server is reached, so that another process can take its calls back. */
export interface ServerSpec {
  readonly name: string;
  readonly command?: readonly string[] | undefined;
  readonly directory?: string | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly http?: string | undefined;
  readonly token?: string | undefined;
}

/** A server whose tools are guarded. */
export interface GuardServer {
  readonly spec: ServerSpec;
  /** The name that it gives itself. */
  readonly identity: string;
  readonly tools: readonly ListedTool[];
  /**
   * Calls a tool and waits for its answer, however long that takes.
   *
   * @throws AlasError {@link LOST_ANSWER} if it is unknown whether the tool has acted or will act;
   *   `NotSent` if the call did not reach the server
   */
  call(
    tool: string,
    input: Readonly<Record<string, Json>>,
    options: {
      readonly key: string;
      readonly signal?: AbortSignal | undefined;
      /** A call that was not sent before it aborts is not sent at all. One that was sent goes on. */
      readonly sendBefore?: AbortSignal | undefined;
    },
  ): Promise<ToolAnswer>;
  /** Ends everything in which calls may act; undefined if the guard cannot end it. */
  readonly stopActing?: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** The code of an error after which a call may have acted. */
const LOST_ANSWER = 'LostAnswer';

/** A lost answer. */
export class LostAnswerError extends AlasError {
  /** Whether the server has certainly ended, so that the call cannot act any more. */
  readonly gone: boolean;

  constructor(message: string, gone: boolean) {
    super(LOST_ANSWER, message);
    this.gone = gone;
  }
}

/** The value of an answer for expressions and mappings: its data, or its text. */
export function valueOfAnswer({ content, structuredContent }: ToolAnswer): Json {
  if (structuredContent !== undefined && structuredContent !== null)
    return structuredContent as Json;
  const text = content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}

/** The text of an answer that is an error. */
export function errorTextOf({ content }: ToolAnswer): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []));
  return texts.join(' ').trim() || 'no reason is given';
}

import type { Json } from '@alas-jssp/workflow';
import type { Tool } from './tool.js';

/** The circumstances of a call of a tool. */
export interface ToolCall {
  readonly runId: string;
  /** The path of the node that calls. */
  readonly nodeId: string;
  /** Equal for all attempts at the same effect. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/** Tools that can be called. */
export interface Toolset {
  readonly tools: readonly Tool[];
  /**
   * Calls a tool.
   *
   * @throws AlasError with a code of the tool's own, `UnknownTool`, `BadToolInput` if the input does not match its
   *   schema, and `NotPermitted` from a toolset that is limited to capabilities
   */
  call(name: string, input: Readonly<Record<string, Json>>, call: ToolCall): Promise<Json>;
  close(): Promise<void>;
}

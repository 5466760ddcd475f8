import type { Mapping, Tool, ToolCatalogue, Toolset } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import type { Undo } from '../template/template.js';

/** A tool as a node calls it. */
export interface NodeTool {
  readonly tool: Tool;
  /** Sources of the tool's input, `input.KEY` of the node's. Default: the input of the node as it is. */
  readonly mapping?: Mapping | undefined;
  /** Constants of the node's input. */
  readonly constants: Readonly<Record<string, Json>>;
  /** The tools that the role of the node may call. */
  readonly toolset: Toolset;
  /** Whether its effect cannot be undone. */
  readonly isFinal: boolean;
}

/** The compensation of a node that calls a tool. */
export interface NodeUndo extends NodeTool {
  readonly undo: Undo;
  readonly catalogue: ToolCatalogue;
}

/** The input and the output of an effect, as sources of an undo. */
export interface KnownEffect {
  readonly input: Readonly<Record<string, Json>>;
  readonly output: Json;
}

import type { BodyPlan, WorkflowPlan } from '@alas-jssp/workflow/ir';
import type { HandlerMap } from '../mapping.js';
import type { DiagramScope } from './diagram.js';
import type { EffectStep } from './effects.js';
import { idPart, nodeVariable } from './expressions.js';

/** A conversion in progress. */
export interface Writing {
  readonly plan: WorkflowPlan;
  readonly map: HandlerMap;
  readonly effects: readonly EffectStep[];
  /** Adds the nodes of a body and its flows, from a first shape to a last one. */
  addBody(
    scope: DiagramScope,
    body: BodyPlan,
    place: FlowPlace,
    ends: { readonly first: string; readonly last: string },
  ): void;
}

/** A body within the document. */
export interface FlowPlace {
  /** The prefix of the ids of its nodes. */
  readonly prefix: string;
  /** The variable of the failure that ends it. */
  readonly failure: string;
  /** The variables that stop its nodes when one of them is set. */
  readonly stops: readonly string[];
  /** Depth among bodies; the workflow itself has 0. */
  readonly depth: number;
}

export const ROOT: FlowPlace = { prefix: '', failure: 'failure0', stops: ['failure0'], depth: 0 };

/** The place of a body within a node. */
export function placeInside(place: FlowPlace, prefix: string, halt: string): FlowPlace {
  const depth = place.depth + 1;
  const failure = `failure${depth}`;
  return { prefix, failure, stops: [...place.stops, halt, failure], depth };
}

/** The variables of a body. */
export function bodyData({ nodes }: BodyPlan, { failure }: FlowPlace): string[] {
  return ['input', 'at', failure, ...nodes.map(({ node }) => nodeVariable(node.id))];
}

export const idOf = ({ prefix }: FlowPlace, id: string): string => `${prefix}${idPart(id)}`;

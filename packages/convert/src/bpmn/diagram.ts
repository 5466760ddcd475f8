/** A script in JSONata that sets a variable at a start, an end or a passage. */
export interface Script {
  readonly on: 'start' | 'end' | 'take';
  readonly result: string;
  readonly text: string;
}

/** The trigger of an event. */
export type Trigger =
  | { readonly type: 'timer'; readonly duration: string }
  | { readonly type: 'error' }
  /** The message that cancels a run. */
  | { readonly type: 'message' }
  | { readonly type: 'compensate'; readonly activity?: string };

/** A flow element with a shape of its own. */
export interface Shape {
  readonly id: string;
  /** Its type in BPMN, such as `bpmn:ServiceTask`. */
  readonly type: string;
  readonly name?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | boolean>>;
  readonly scripts?: readonly Script[];
  /** The script of a script task. */
  readonly script?: { readonly result: string; readonly text: string };
  /** Fields of a delegate. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly trigger?: Trigger;
  /** The activity to whose border the event is attached. */
  readonly on?: string;
  /** The contents of a sub-process. */
  readonly inside?: DiagramScope;
  /** Drawn as a closed box, with its contents on a page of their own. */
  readonly closed?: boolean;
  /** Runs once for each number below this expression. */
  readonly times?: { readonly count: string; readonly sequential: boolean };
  /** Its position in the drawing: attached to another shape, before it (−1) or after it (1). */
  readonly beside?: { readonly id: string; readonly side: -1 | 1 };
}

/** A sequence flow. */
export interface SequenceFlow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly name?: string | undefined;
  /** A condition in JSONata. */
  readonly when?: string | undefined;
  /** Taken if no other way out of a gateway is. */
  readonly otherwise?: boolean;
  /** Leads back to an earlier shape. */
  readonly back?: boolean;
  readonly scripts?: readonly Script[];
}

/** The association from a compensation event to its handler. */
interface Tie {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** The contents of a process or a sub-process. */
export interface DiagramScope {
  readonly shapes: Shape[];
  readonly flows: SequenceFlow[];
  readonly ties: Tie[];
  /** Its variables. */
  readonly data: string[];
}

export function newDiagram(...data: string[]): DiagramScope {
  return { shapes: [], flows: [], ties: [], data };
}

/** Adds a shape, and returns its id. */
export function addShape(scope: DiagramScope, shape: Shape): string {
  scope.shapes.push(shape);
  return shape.id;
}

/** Adds a sequence flow. */
export function addFlow(
  scope: DiagramScope,
  from: string,
  to: string,
  more: Omit<SequenceFlow, 'id' | 'from' | 'to'> = {},
): void {
  const base = `${from}.to.${to}`;
  const taken = scope.flows.filter(({ id }) => id === base || id.startsWith(`${base}.`)).length;
  scope.flows.push({ id: taken === 0 ? base : `${base}.${taken}`, from, to, ...more });
}

/** Adds the handler of a compensation event, and the association to it. */
export function addHandler(scope: DiagramScope, event: Shape, handler: Shape): void {
  scope.shapes.push(event, handler);
  scope.ties.push({ id: `${event.id}.to.${handler.id}`, from: event.id, to: handler.id });
}

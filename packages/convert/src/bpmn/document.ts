import type { BpmnModdle } from 'bpmn-moddle';
import type { DiagramScope, Script, SequenceFlow, Shape, Trigger } from './diagram.js';
import { legible } from './expressions.js';
import { type Box, edgeLabel, labelBox, type Point } from './geometry.js';
import { type Drawing, draw } from './layout.js';

const FLOWABLE = 'http://flowable.org/bpmn';
const ALAS = 'https://alas-jssp.dev/bpmn';
const LISTENER = 'org.flowable.engine.impl.bpmn.listener.ScriptExecutionListener';

/** An element of the document: only the library knows the metamodel. */
// biome-ignore lint/suspicious/noExplicitAny: the library makes them from names of types
type Element = any;

interface Maker {
  readonly moddle: BpmnModdle;
  readonly elements: Map<string, Element>;
  readonly message: Element;
}

/** A document to be written. */
export interface Document {
  readonly name: string;
  readonly documentation?: string | undefined;
  /** Makes the text that holds the workflow, from the document without it. */
  readonly embed: (rest: string) => string;
  readonly scope: DiagramScope;
}

/** Writes a process with its diagrams as XML. */
export async function writeDocument({
  name,
  documentation,
  embed,
  scope,
}: Document): Promise<string> {
  const { BpmnModdle: Moddle } = await import('bpmn-moddle');
  const moddle = new Moddle();
  const message = make(moddle, 'bpmn:Message', { id: '_cancelled', name: 'alasCancel' });
  const maker: Maker = { moddle, elements: new Map(), message };
  const id = `workflow_${name.replace(/[^A-Za-z0-9_-]/g, '_')}`;
  const process = make(moddle, 'bpmn:Process', { id, name, isExecutable: true });
  if (documentation !== undefined) {
    process.documentation = [make(moddle, 'bpmn:Documentation', { text: documentation })];
  }
  fillScope(maker, process, scope, id);
  const definitions = make(moddle, 'bpmn:Definitions', {
    id: 'definitions',
    targetNamespace: ALAS,
    exporter: 'alas-jssp',
    'xmlns:flowable': FLOWABLE,
    'xmlns:alas': ALAS,
    rootElements: [message, process],
    diagrams: diagramsOf(maker, process, scope, `${id}.diagram`),
  });
  const { xml: bare } = await moddle.toXML(definitions, { format: true });
  const { rest } = await openDocument(bare);
  const carrier = any(moddle, CARRIER, { $body: embed(rest) });
  process.extensionElements = make(moddle, 'bpmn:ExtensionElements', { values: [carrier] });
  const { xml } = await moddle.toXML(definitions, { format: true });
  return xml;
}

/** The extension element of the process that holds the workflow. */
const CARRIER = 'alas:workflow';

/**
 * Splits a document: the text that holds its workflow, if it has one, and the rest in one style.
 * Line ends are normalised as XML 1.0 (2.11) requires; the library does not.
 *
 * @throws Error of the library for documents that are not XML or BPMN
 */
export async function openDocument(text: string): Promise<{ rest: string; carried?: string }> {
  const { BpmnModdle: Moddle } = await import('bpmn-moddle');
  const moddle = new Moddle();
  const { rootElement } = await moddle.fromXML(text.replaceAll(/\r\n?/g, '\n'));
  const roots: Element[] = (rootElement as Element).rootElements ?? [];
  const process = roots.find(({ $type }) => $type === 'bpmn:Process');
  const values: Element[] = process?.extensionElements?.values ?? [];
  const carrier = values.find(({ $type }) => $type === CARRIER);
  if (carrier !== undefined) {
    const others = values.filter((value) => value !== carrier);
    if (others.length > 0) process.extensionElements.values = others;
    else process.extensionElements = undefined;
  }
  const { xml: rest } = await moddle.toXML(rootElement, { format: true });
  return { rest, carried: carrier?.$body };
}

function make(
  moddle: BpmnModdle,
  type: string,
  properties: Readonly<Record<string, unknown>>,
): Element {
  return moddle.create(type, legible(properties));
}

function any(
  moddle: BpmnModdle,
  type: string,
  properties: Readonly<Record<string, unknown>>,
): Element {
  return moddle.createAny(type, type.startsWith('alas:') ? ALAS : FLOWABLE, legible(properties));
}

function listenerOf({ moddle }: Maker, { on, result, text }: Script): Element {
  const field = (name: string, body: string) =>
    any(moddle, 'flowable:field', {
      name,
      $children: [any(moddle, 'flowable:string', { $body: body })],
    });
  const fields = [
    field('language', 'jsonata'),
    field('resultVariable', result),
    field('script', text),
  ];
  return any(moddle, 'flowable:executionListener', {
    event: on,
    class: LISTENER,
    $children: fields,
  });
}

function fillScope(maker: Maker, owner: Element, scope: DiagramScope, ownerId: string): void {
  const { moddle, elements } = maker;
  const data = scope.data.map((name) => {
    return make(moddle, 'bpmn:DataObject', { id: `${ownerId}.var.${name}`, name });
  });
  for (const shape of scope.shapes) elements.set(shape.id, elementOf(maker, shape));
  for (const { id, on } of scope.shapes) {
    if (on !== undefined) elements.get(id).attachedToRef = elements.get(on);
  }
  const flows = scope.flows.map((flow) => flowOf(maker, flow));
  const ties = scope.ties.map(({ id, from, to }) => {
    const ends = { sourceRef: elements.get(from), targetRef: elements.get(to) };
    const tie = make(moddle, 'bpmn:Association', { id, ...ends, associationDirection: 'One' });
    elements.set(id, tie);
    return tie;
  });
  const shapes = scope.shapes.map(({ id }) => elements.get(id));
  owner.flowElements = [...data, ...shapes, ...flows];
  if (ties.length > 0) owner.artifacts = ties;
  for (const element of [...owner.flowElements, ...ties]) element.$parent = owner;
}

function elementOf(maker: Maker, shape: Shape): Element {
  const { moddle } = maker;
  const { id, type, name, attributes, inside, script, trigger, times } = shape;
  const element = make(moddle, type, { id, ...(name && { name }), ...attributes });
  const values = [
    ...(shape.scripts ?? []).map((one) => listenerOf(maker, one)),
    ...Object.entries(shape.fields ?? {}).map(([field, text]) => {
      return any(moddle, 'flowable:field', {
        name: field,
        $children: [any(moddle, 'flowable:string', { $body: text })],
      });
    }),
  ];
  if (values.length > 0)
    element.extensionElements = make(moddle, 'bpmn:ExtensionElements', { values });
  if (script !== undefined) {
    element.set('scriptFormat', 'jsonata');
    element.set('script', legible(script).text);
    element.set('flowable:resultVariable', script.result);
  }
  if (trigger !== undefined) element.eventDefinitions = [eventOf(maker, id, trigger)];
  if (times !== undefined) {
    const { count, sequential } = times;
    const cardinality = make(moddle, 'bpmn:FormalExpression', { body: count });
    element.loopCharacteristics = make(moddle, 'bpmn:MultiInstanceLoopCharacteristics', {
      isSequential: sequential,
      loopCardinality: cardinality,
    });
  }
  if (inside !== undefined) fillScope(maker, element, inside, id);
  return element;
}

function eventOf({ moddle, elements, message }: Maker, id: string, trigger: Trigger): Element {
  switch (trigger.type) {
    case 'timer': {
      const kind = trigger.duration.startsWith('$') ? 'timeDate' : 'timeDuration';
      const time = make(moddle, 'bpmn:FormalExpression', { body: trigger.duration });
      return make(moddle, 'bpmn:TimerEventDefinition', { id: `${id}.timer`, [kind]: time });
    }
    case 'message':
      return make(moddle, 'bpmn:MessageEventDefinition', {
        id: `${id}.message`,
        messageRef: message,
      });
    case 'error':
      return make(moddle, 'bpmn:ErrorEventDefinition', { id: `${id}.any` });
    case 'compensate': {
      const activity =
        trigger.activity === undefined ? {} : { activityRef: elements.get(trigger.activity) };
      return make(moddle, 'bpmn:CompensateEventDefinition', {
        id: `${id}.compensate`,
        ...activity,
      });
    }
  }
}

function flowOf(maker: Maker, flow: SequenceFlow): Element {
  const { moddle, elements } = maker;
  const { id, from, to, name, when, otherwise, scripts = [] } = flow;
  const [sourceRef, targetRef] = [elements.get(from), elements.get(to)];
  const element = make(moddle, 'bpmn:SequenceFlow', {
    id,
    ...(name && { name }),
    sourceRef,
    targetRef,
  });
  if (when !== undefined) {
    element.conditionExpression = make(moddle, 'bpmn:FormalExpression', {
      body: when,
      language: 'jsonata',
    });
  }
  if (scripts.length > 0) {
    const values = scripts.map((one) => listenerOf(maker, one));
    element.extensionElements = make(moddle, 'bpmn:ExtensionElements', { values });
  }
  if (otherwise) sourceRef.default = element;
  sourceRef.get('outgoing').push(element);
  targetRef.get('incoming').push(element);
  elements.set(id, element);
  return element;
}

/** The diagram of a scope, and one more for each closed sub-process. */
function diagramsOf(maker: Maker, owner: Element, scope: DiagramScope, id: string): Element[] {
  const { moddle } = maker;
  const drawing = draw(scope);
  const more: Element[] = [];
  const planeElement: Element[] = [];
  const add = (part: DiagramScope) => {
    for (const shape of part.shapes) {
      planeElement.push(shapeOf(maker, shape, drawing));
      const { inside, closed } = shape;
      if (inside === undefined) continue;
      if (closed)
        more.push(
          ...diagramsOf(maker, maker.elements.get(shape.id), inside, `${shape.id}.diagram`),
        );
      else add(inside);
    }
    for (const flow of [...part.flows, ...part.ties])
      planeElement.push(edgeOf(maker, flow, drawing));
  };
  add(scope);
  const plane = make(moddle, 'bpmndi:BPMNPlane', {
    id: `${id}.plane`,
    bpmnElement: owner,
    planeElement,
  });
  return [make(moddle, 'bpmndi:BPMNDiagram', { id, plane }), ...more];
}

/** Space around a diagram. */
const MARGIN = 60;

function boundsOf(moddle: BpmnModdle, { x, y, width, height }: Box): Element {
  const [left, top] = [Math.round(x + MARGIN), Math.round(y + MARGIN)];
  return make(moddle, 'dc:Bounds', {
    x: left,
    y: top,
    width: Math.round(width),
    height: Math.round(height),
  });
}

function shapeOf(
  { moddle, elements }: Maker,
  { id, inside, closed, name, type }: Shape,
  { boxes }: Drawing,
): Element {
  const box = boxes.get(id) as Box;
  const shape = make(moddle, 'bpmndi:BPMNShape', {
    id: `${id}.shape`,
    bpmnElement: elements.get(id),
    bounds: boundsOf(moddle, box),
    ...(inside === undefined ? {} : { isExpanded: !closed }),
    ...(type === 'bpmn:ExclusiveGateway' ? { isMarkerVisible: true } : {}),
  });
  if (name !== undefined && /(Gateway|Event)$/.test(type)) {
    shape.label = make(moddle, 'bpmndi:BPMNLabel', {
      bounds: boundsOf(moddle, labelBox(box, type, name)),
    });
  }
  return shape;
}

function edgeOf(
  { moddle, elements }: Maker,
  { id, ...rest }: Partial<SequenceFlow> & { id: string },
  { lines }: Drawing,
): Element {
  const points = lines.get(id) as readonly Point[];
  const waypoint = points.map(({ x, y }) => {
    return make(moddle, 'dc:Point', { x: Math.round(x + MARGIN), y: Math.round(y + MARGIN) });
  });
  const edge = make(moddle, 'bpmndi:BPMNEdge', {
    id: `${id}.edge`,
    bpmnElement: elements.get(id),
    waypoint,
  });
  if (rest.name !== undefined) {
    edge.label = make(moddle, 'bpmndi:BPMNLabel', {
      bounds: boundsOf(moddle, edgeLabel(points, rest.name)),
    });
  }
  return edge;
}

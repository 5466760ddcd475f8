import { BpmnModdle } from 'bpmn-moddle';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../../workflow/src/ir/workflow.js';
import { toWorkflow } from '../../../workflow/src/ir/workflow-file.js';
import { writeBpmn } from '../../src/bpmn/write.js';
import { arbitraryWorkflow } from '../random-workflows.js';

// biome-ignore lint/suspicious/noExplicitAny: elements of BPMN have many forms
type Element = any;

/** A document as it is read by others: its elements, and what is drawn of them. */
async function read(text: string) {
  const { rootElement, warnings } = await new BpmnModdle().fromXML(text);
  const definitions = rootElement as Element;
  const process = definitions.rootElements.find(({ $type }: Element) => $type === 'bpmn:Process');
  const elements = elementsOf(process);
  const planes = definitions.diagrams.map(({ plane }: Element) => plane);
  const drawn = planes.flatMap(({ planeElement }: Element) => planeElement as Element[]);
  return { warnings, process, elements, planes, drawn };
}

function elementsOf({ flowElements = [], artifacts = [] }: Element): Element[] {
  const inner = flowElements.flatMap((one: Element) => (one.flowElements ? elementsOf(one) : []));
  return [...flowElements, ...artifacts, ...inner];
}

const isNode = ({ $type }: Element) => /(Task|Event|Gateway|SubProcess)$/.test($type);

/** Nodes to which no way leads, or from which none goes on, though one should. */
function loose(elements: readonly Element[]): string[] {
  return elements.filter(isNode).flatMap((node) => {
    const { id, $type, incoming = [], outgoing = [], isForCompensation } = node;
    const catches = $type === 'bpmn:BoundaryEvent';
    const compensates = node.eventDefinitions?.[0]?.$type === 'bpmn:CompensateEventDefinition';
    if (isForCompensation || (catches && compensates)) return [];
    const mayBegin = catches || $type === 'bpmn:StartEvent';
    const isIn = mayBegin || incoming.length > 0;
    const isOut = $type === 'bpmn:EndEvent' || outgoing.length > 0;
    return isIn && isOut ? [] : [id];
  });
}

/** Pairs of shapes of one plane that overlap without one being within the other. */
function overlaps(plane: Element): string[] {
  const shapes = plane.planeElement.filter(({ $type, bpmnElement }: Element) => {
    return $type === 'bpmndi:BPMNShape' && bpmnElement.$type !== 'bpmn:BoundaryEvent';
  });
  const cuts = (a: Element, b: Element) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const holds = (a: Element, b: Element) =>
    a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;
  return shapes.flatMap(({ bounds: a, bpmnElement }: Element, k: number) =>
    shapes.slice(k + 1).flatMap(({ bounds: b, bpmnElement: other }: Element) => {
      return cuts(a, b) && !holds(a, b) && !holds(b, a) ? [`${bpmnElement.id} ${other.id}`] : [];
    }),
  );
}

/** Edges with an end that is not on the border of the shape that it belongs to. */
function stray(drawn: readonly Element[]): string[] {
  const boxes = new Map(
    drawn.filter(({ bounds }) => bounds).map(({ bpmnElement, bounds }) => [bpmnElement.id, bounds]),
  );
  const isAt = ({ x, y }: Element, { id }: Element) => {
    const box = boxes.get(id);
    const [right, low] = [box.x + box.width, box.y + box.height];
    const inside = x >= box.x - 1 && x <= right + 1 && y >= box.y - 1 && y <= low + 1;
    const near = (a: number, b: number) => Math.abs(a - b) <= 1;
    return inside && (near(x, box.x) || near(x, right) || near(y, box.y) || near(y, low));
  };
  return drawn.flatMap(({ waypoint, bpmnElement }) => {
    if (waypoint === undefined) return [];
    const { sourceRef, targetRef, id } = bpmnElement;
    return isAt(waypoint[0], sourceRef) && isAt(waypoint.at(-1), targetRef) ? [] : [id];
  });
}

async function expectWellFormed(workflow: Workflow): Promise<void> {
  const { text, report } = await writeBpmn(workflow);
  const { warnings, elements, planes, drawn } = await read(text);
  expect(warnings).toEqual([]);
  const ids = elements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(loose(elements)).toEqual([]);
  const shown = new Set(drawn.map(({ bpmnElement }: Element) => bpmnElement.id));
  const hidden = elements.filter(({ id, $type }) => $type !== 'bpmn:DataObject' && !shown.has(id));
  expect(hidden.map(({ id }) => id)).toEqual([]);
  expect(planes.flatMap(overlaps)).toEqual([]);
  expect(stray(drawn)).toEqual([]);
  expect(report.length).toBeGreaterThan(0);
}

describe('workflows in BPMN 2.0', () => {
  it('every workflow gives a document in which all is connected and drawn, and nothing overlaps', async () => {
    await fc.assert(fc.asyncProperty(arbitraryWorkflow({ rich: true }), expectWellFormed), {
      numRuns: 25,
    });
  });

  it('a step with an effect has a compensation event and its handler', async () => {
    const { text } = await writeBpmn(saga());
    const { elements } = await read(text);
    const handlers = elements.filter(({ isForCompensation }) => isForCompensation);
    const ties = elements.filter(({ $type }) => $type === 'bpmn:Association');
    expect(handlers.map(({ id }) => id)).toEqual(['pay.undo']);
    expect(ties.map(({ sourceRef, targetRef }) => [sourceRef.id, targetRef.id])).toEqual([
      ['pay.register.undo', 'pay.undo'],
    ]);
  });

  it('effects of which none can be undone leave nothing unconnected', async () => {
    const [pay] = saga().nodes;
    const sent = { ...pay, effect: 'irreversible', policyRef: 'plain' };
    await expectWellFormed(toWorkflow({ ...saga(), nodes: [sent], policies: { plain: {} } }));
  });

  it('failures that come of the process itself name their node', async () => {
    const body = { nodes: [{ id: 'x', type: 'task' }], edges: [] };
    const each = { id: 'each', type: 'map', items: 'input.list', body };
    const plain = { loopGuards: { maxIters: 2 } };
    const { text } = await writeBpmn(
      toWorkflow({ ...saga(), nodes: [each], policies: { plain }, defaultPolicy: 'plain' }),
    );
    for (const code of ['LoopGuard', 'NoItems']) {
      expect(text).toMatch(new RegExp(`"code": "${code}", "message": "[^"]*", "nodeId": \\$path`));
    }
  });

  it('topics of external workers come from the map of handlers', async () => {
    const map = {
      ...{ schema: 'alas-jssp/handler-map@1' as const, handlers: { pay: { topic: 'payments' } } },
      ...{ compensators: {}, messages: {}, approvals: {}, others: {}, argo: {} },
    };
    const { text } = await writeBpmn(saga(), map);
    expect(text).toContain('flowable:topic="payments"');
  });
});

function saga(): Workflow {
  return toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'saga',
    nodes: [{ id: 'pay', type: 'task', effect: 'compensable', policyRef: 'paid' }],
    edges: [],
    policies: {
      paid: { idempotencyKey: {}, compensation: { handler: 'void', safeReinvoke: true } },
    },
  });
}

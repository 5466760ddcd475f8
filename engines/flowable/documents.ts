// Small BPMN documents for the tests of the engine, written by hand: none of them comes from the converter.

const HEAD = [
  '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
  'xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">',
  '<message id="cancel" name="alasCancel"/>',
].join(' ');

/** A document of one process with these elements between its events `start` and `finish`. */
export function process(elements: string, variables: readonly string[] = [], first?: object) {
  const sets = Object.entries(first ?? {});
  const begin = sets.map(([name, value]) => script(`set_${name}`, name, JSON.stringify(value)));
  const ids = sets.map(([name]) => `set_${name}`);
  const text =
    ids.length === 0
      ? elements
      : `${begin.join('')}${flows('start', ...ids)}${elements.replace('sourceRef="start"', `sourceRef="${ids[ids.length - 1]}"`)}`;
  return `${HEAD}<process id="p" isExecutable="true">${data('p', variables)}<startEvent id="start"/>${text}<endEvent id="finish"/></process></definitions>`;
}

/** Variables that live as long as what declares them. */
function data(owner: string, names: readonly string[]): string {
  return names
    .map((name) => `<dataObject id="${owner}_${name}" name="${name}" itemSubjectRef="xsd:string"/>`)
    .join('');
}

export function flow(from: string, to: string, inner = ''): string {
  return `<sequenceFlow id="f_${from}_${to}" sourceRef="${from}" targetRef="${to}">${inner}</sequenceFlow>`;
}

/** Flows from each to the next. */
export function flows(...ids: readonly string[]): string {
  return ids
    .slice(1)
    .map((id, at) => flow(ids[at], id))
    .join('');
}

/** A flow that is taken if its JSONata holds. */
export function condition(from: string, to: string, text: string): string {
  return flow(
    from,
    to,
    `<conditionExpression xsi:type="tFormalExpression" language="jsonata"><![CDATA[${text}]]></conditionExpression>`,
  );
}

/** Sets a variable to what its JSONata gives. */
export function script(id: string, variable: string, text: string): string {
  return `<scriptTask id="${id}" scriptFormat="jsonata" flowable:resultVariable="${variable}"><script><![CDATA[${text}]]></script></scriptTask>`;
}

/** A task for the external worker. */
export function task(id: string, topic: string): string {
  return `<serviceTask id="${id}" flowable:type="external-worker" flowable:topic="${topic}" flowable:exclusive="false"/>`;
}

export function boundary(id: string, at: string, event: string): string {
  return `<boundaryEvent id="${id}" attachedToRef="${at}">${event}</boundaryEvent>`;
}

/** What makes up a step: limits of its attempts, what undoes it, and JSONata of its path and input. */
export interface StepOptions {
  readonly attempts?: number;
  readonly seconds?: number;
  readonly undo?: string;
  readonly path?: string;
  readonly input?: string;
}

/** A sub-process that calls a handler and always completes; `answer` goes outward if that is declared there. */
export function step(id: string, options: StepOptions): string {
  const { attempts = 1, seconds, undo, path = `"${id}"`, input = '$input' } = options;
  const name = (part: string) => `${id}_${part}`;
  const call = `{"kind": "run", "handler": "${id}", "path": ${path}, "input": ${input}}`;
  const parts = [
    data(id, ['call', 'count', ...(undo === undefined ? [] : ['answer'])]),
    `<startEvent id="${name('s')}"/><endEvent id="${name('e')}"/>`,
    script(name('left'), 'call', `$merge([$call, {"kind": "undo", "handler": "${undo}"}])`),
    flow(name('left'), name('e')),
    script(name('reg'), 'call', call),
    script(name('more'), 'count', '($count = null ? 0 : $count) + 1'),
    task(name('run'), id),
    boundary(name('err'), name('run'), '<errorEventDefinition/>'),
    `<exclusiveGateway id="${name('gate')}" default="f_${name('gate')}_${name('left')}"/>`,
    condition(name('gate'), name('more'), `$count < ${attempts}`),
    flow(name('gate'), name('left')),
    flows(name('s'), name('reg'), name('more'), name('run'), name('left')),
    flows(name('err'), name('gate')),
  ];
  if (seconds !== undefined) {
    const event = `<timerEventDefinition><timeDuration>PT${seconds}S</timeDuration></timerEventDefinition>`;
    parts.push(boundary(name('time'), name('run'), event));
    parts.push(script(name('timed'), 'answer', '{"error": {"code": "Timeout"}}'));
    parts.push(flows(name('time'), name('timed'), name('gate')));
  }
  if (undo !== undefined) parts.push(undoing(id));
  return `<subProcess id="${id}">${parts.join('')}</subProcess>`;
}

/** A compensation handler on the first task of a step: it makes the call that the step left when it ended. */
function undoing(id: string): string {
  return [
    boundary(`${id}_c`, `${id}_reg`, '<compensateEventDefinition/>'),
    `<serviceTask id="${id}_undo" isForCompensation="true" flowable:class="alas.Caller"><extensionElements>`,
    '<flowable:field name="attempts"><flowable:string>3</flowable:string></flowable:field>',
    '</extensionElements></serviceTask>',
    `<association id="${id}_a" sourceRef="${id}_c" targetRef="${id}_undo" associationDirection="One"/>`,
  ].join('');
}

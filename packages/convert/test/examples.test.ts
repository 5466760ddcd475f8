import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refundAt } from '../../../examples/refund-workflow.mjs';
import { tripAt } from '../../../examples/travel-workflow.mjs';
import { blueprint } from '../../../src/pipeline/blueprint/blueprint.js';
import {
  parseWorkflow,
  readWorkflow,
  type Workflow,
  writeWorkflow,
} from '../../workflow/src/index.js';
import { convertWorkflow, TARGETS } from '../src/convert.js';
import { featuresOf } from '../src/features.js';

const examples: [string, Workflow][] = [
  ['the refund saga', readWorkflow('examples/refund.json')],
  ['the travel saga', readWorkflow('examples/travel.json')],
  ['the blueprint', blueprint({ variant: 'full', rounds: 3 })],
];

it.each([
  ['refund', refundAt('http://localhost').workflow],
  ['travel', tripAt('http://localhost').workflow],
])('examples/%s.json is the workflow that its program runs', (name, workflow) => {
  const own = parseWorkflow(JSON.stringify(workflow));
  const kept: unknown = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8'));
  expect(kept).toEqual(JSON.parse(writeWorkflow(own)));
});

describe.each(examples)('%s', (_, workflow) => {
  it.each(TARGETS)(
    'converts to %s, and nothing that it uses is lost or left unsaid',
    async (target) => {
      const { text, report } = await convertWorkflow(workflow, target);
      expect(text.length).toBeGreaterThan(1000);
      expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
      const said = new Set(report.map(({ feature, place }) => `${feature} at ${place}`));
      const unsaid = featuresOf(workflow).filter(
        ({ feature, place }) => !said.has(`${feature} at ${place}`),
      );
      expect(unsaid.map(({ feature, place }) => `${feature} at ${place}`)).toEqual([]);
      expect(report.filter(({ how }) => how.trim() === '')).toEqual([]);
    },
  );

  it.each(TARGETS)('converts to %s the same every time, and stays as it is', async (target) => {
    const before = JSON.stringify(workflow);
    const first = await convertWorkflow(workflow, target);
    expect((await convertWorkflow(workflow, target)).text).toBe(first.text);
    expect(JSON.stringify(workflow)).toBe(before);
  });
});

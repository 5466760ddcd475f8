import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { blueprint } from '../../../src/pipeline/blueprint/blueprint.js';
import { readWorkflow } from '../../workflow/src/index.js';
import { convertWorkflow, isConverted, readConverted, TARGETS } from '../src/convert.js';
import { FEATURES } from '../src/report.js';
import { arbitraryWorkflow } from './random-workflows.js';

const travel = readWorkflow('examples/travel.json');
const allowLoss = [...FEATURES];

/** A YAML document that would expand to a thousand million values. */
const BOMB = Array.from({ length: 9 }, (_, k) => {
  const inner = Array(10).fill(k === 0 ? '0' : `*a${k - 1}`);
  return `a${k}: &a${k} [${inner.join(', ')}]`;
}).join('\n');

describe.each(TARGETS)('a document in %s', (target) => {
  it('gives back the workflow that it was written from', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWorkflow({ timers: true, rich: true }), async (workflow) => {
        const { text } = await convertWorkflow(workflow, target, { allowLoss });
        expect(await readConverted(text)).toEqual(workflow);
      }),
      { numRuns: target === 'bpmn' ? 15 : 60 },
    );
    const { text } = await convertWorkflow(blueprint(), target, { allowLoss });
    expect(await readConverted(text)).toEqual(blueprint());
  });

  it('is refused after a change, or gives the same workflow: never another one', async () => {
    const { text } = await convertWorkflow(travel, target);
    const lines = text.split('\n');
    const piece = fc.constantFrom('', '{}', 'null', '"x"', '[1]', '- a', 'a: b', '-1', '}', '<a/>');
    const change = fc.tuple(fc.nat(lines.length - 1), fc.boolean(), piece);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(change, async ([at, cut, value]) => {
        const line = cut ? [] : [lines[at].replace(/(:\s*|-\s+|>)\S.*$/, `$1${value}`)];
        try {
          const read = await readConverted(lines.toSpliced(at, 1, ...line).join('\n'), 'doc');
          expect(read).toEqual(travel);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.message).toMatch(/^doc:[^\n]*; [^\n]*$/);
          refused++;
        }
      }),
      { numRuns: target === 'bpmn' ? 40 : 100 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});

describe('documents that are read back', () => {
  it('may be indented in another way, or be written in YAML', async () => {
    const { text } = await convertWorkflow(travel, 'asl');
    expect(await readConverted(JSON.stringify(JSON.parse(text)))).toEqual(travel);
    expect(await readConverted(stringify(JSON.parse(text)))).toEqual(travel);
    const argo = parse((await convertWorkflow(travel, 'argo')).text);
    const stored = {
      ...argo,
      metadata: { ...argo.metadata, name: 'trip-x1', uid: '7' },
      status: {},
    };
    expect(await readConverted(JSON.stringify(stored))).toEqual(travel);
  });

  it.each(TARGETS)(
    'may be in one line, in braces, and end its lines as Windows does: %s',
    async (target) => {
      const { text } = await convertWorkflow(travel, target);
      const forms = [text, text.replaceAll('\n', '\r\n')];
      if (target !== 'bpmn') {
        const flow = stringify(parse(text), { collectionStyle: 'flow' });
        forms.push(JSON.stringify(parse(text)), flow, stringify(parse(text)));
      }
      for (const form of forms) {
        expect(isConverted(form)).toBe(true);
        expect(await readConverted(form)).toEqual(travel);
      }
    },
  );

  it.each(TARGETS)('are refused if the workflow that they carry was edited: %s', async (target) => {
    const { text } = await convertWorkflow(travel, target);
    const edited = text.replaceAll('hotel-berlin', 'hotel-munich');
    const onlyInside = text.replace('hotel-berlin', 'hotel-munich');
    for (const one of [edited, onlyInside]) {
      await expect(readConverted(one)).rejects.toMatchObject({ code: 'changed_document' });
    }
  });

  it('are not taken for workflows of our own that mention their keys', () => {
    const text = JSON.stringify({
      ...travel,
      description: 'StartAt: a, States: b, {StartAt: 1, States: 2}',
    });
    expect(isConverted(text)).toBe(false);
  });

  it.each([
    ['{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}', 'foreign_document'],
    ['StartAt: A\nStates:\n  A: {Type: Succeed}', 'foreign_document'],
    ['{"Comment": "alas-jssp {", "StartAt": "A", "States": {}}', 'foreign_document'],
    [
      'apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: {templates: [{name: a}]}',
      'foreign_document',
    ],
    [
      '<?xml version="1.0"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>',
      'foreign_document',
    ],
    ['<a', 'bad_bpmn'],
    ['{"a": 1}', 'bad_document'],
    ['[1]', 'bad_document'],
    ['a: 1\n---\nb: 1', 'bad_document'],
    ['a: [1', 'bad_document'],
    [BOMB, 'bad_document'],
  ])('%j is refused in one line', async (text, code) => {
    const error = await readConverted(text, 'doc').catch((reason) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^doc:[^\n]*; [^\n]*$/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConversionSource,
  convertWorkflow,
  importWorkflow,
  SOURCES,
} from '../../src/convert/convert.js';
import { InputError } from '../../src/core/errors.js';
import { readWorkflow, toWorkflow } from '../../src/workflow/index.js';

const travel = readWorkflow('examples/travel.json');

/** A document of YAML that would be a thousand million values. */
const BOMB = Array.from({ length: 9 }, (_, k) => {
  return `a${k}: &a${k} [${Array(10)
    .fill(k === 0 ? '0' : `*a${k - 1}`)
    .join(', ')}]`;
}).join('\n');

/** Whether a text is read as a workflow that has its form; what is refused is told where it stands. */
async function isRead(text: string, source: ConversionSource): Promise<boolean> {
  try {
    const { workflow } = await importWorkflow(text, source, { file: 'doc', allowLoss: [] });
    toWorkflow(JSON.parse(JSON.stringify(workflow)));
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/^doc:/);
    expect(error.message).not.toMatch(/undefined|\[object|NaN/);
    return false;
  }
}

describe.each(SOURCES)(
  'what is read from %s is a workflow or refused with its place:',
  (source) => {
    it('any text', async () => {
      const texts = fc.oneof(
        fc.string(),
        fc.json(),
        fc.constantFrom(BOMB, '{}', '---', 'a: &a [*a]', '%'),
      );
      await fc.assert(fc.asyncProperty(texts, (text) => isRead(text, source).then(() => {})));
    });

    it('a document of ours in which something was changed', async () => {
      const { text } = await convertWorkflow(travel, source);
      const lines = text.split('\n');
      const pieces = fc.constantFrom(
        '',
        '{}',
        'null',
        '"x"',
        '[1]',
        '- a',
        'a: b',
        '-1',
        '\t',
        '}',
        '"',
      );
      const changes = fc.tuple(fc.nat(lines.length - 1), fc.boolean(), pieces);
      let read = 0;
      const change = async ([at, cut, piece]: [number, boolean, string]) => {
        const value = cut ? [] : [lines[at].replace(/(:\s*|-\s+)\S.*$/, `$1${piece}`)];
        if (await isRead(lines.toSpliced(at, 1, ...value).join('\n'), source)) read++;
      };
      await fc.assert(fc.asyncProperty(changes, change), { numRuns: 100 });
      expect(read).toBeLessThan(300);
    });

    it('a tree of ours in which a value was exchanged', async () => {
      const { text } = await convertWorkflow(travel, source);
      if (source !== 'asl') return;
      const places: string[][] = [];
      const visit = (value: unknown, path: string[]): void => {
        places.push(path);
        if (typeof value !== 'object' || value === null) return;
        for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
      };
      visit(JSON.parse(text), []);
      const exchange = async ([at, value]: [number, unknown]) => {
        const path = places[at];
        if (path.length === 0) return;
        const tree = JSON.parse(text);
        const holder = path.slice(0, -1).reduce((inner, key) => inner[key], tree);
        holder[path.at(-1) ?? ''] = value;
        await isRead(JSON.stringify(tree), source);
      };
      const values = fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('', null, [], {}, -1, '{% $ %}', '$.a'),
      );
      await fc.assert(fc.asyncProperty(fc.tuple(fc.nat(places.length - 1), values), exchange), {
        numRuns: 100,
      });
    });
  },
);

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { instanceJsonSchema } from '../../../src/jssp/formats/json-schema.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { arbitraryNamed } from '../../named-instances.js';
import { anyShop } from '../shops.js';

const validate = new Ajv2020({ strict: false }).compile(instanceJsonSchema());

// `npm run schemas` rewrites the file.
test('the published JSON Schema of instances is the one that files are read with', () => {
  const published = JSON.parse(readFileSync('schemas/instance.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(instanceJsonSchema())));
});

test('the JSON Schema accepts what is written', () => {
  fc.assert(
    fc.property(fc.oneof(anyShop, arbitraryNamed(anyShop)), (instance) => {
      const valid = validate(JSON.parse(writeInstanceJson(instance)));
      expect(validate.errors ?? []).toEqual([]);
      expect(valid).toBe(true);
    }),
  );
});

test('the JSON Schema accepts the examples of the documents, and refuses other keys', () => {
  const document = readFileSync('docs/reference/formats.md', 'utf8');
  for (const version of [1, 2]) {
    const pattern = new RegExp(
      `\`\`\`\\w+\\n(\\{\\s+"schema": "alas-jssp/instance@${version}"[^]*?)\`\`\``,
    );
    const shown = JSON.parse(pattern.exec(document)?.[1] ?? '');
    const named = { $schema: './instance.schema.json', ...shown };
    expect(validate(named)).toBe(true);
    expect(parseInstance(JSON.stringify(named), { name: 'shop' }).jobs).toBe(2);
    expect(validate({ ...shown, group: {} })).toBe(false);
    expect(validate({ ...shown, jobs: [{ operations: [{ machine: -1, duration: 1 }] }] })).toBe(
      false,
    );
    expect(validate({ ...shown, jobs: [{ operations: [], due: '2026-11-24T17:00' }] })).toBe(true);
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const sources = ['checks', 'template'].flatMap((folder) => {
  const path = `packages/blueprint/src/${folder}`;
  const files = readdirSync(new URL(`../../../../${path}`, import.meta.url));
  return files.filter((file) => file.endsWith('.ts')).map((file) => read(`${path}/${file}`));
});

it('lists every code of the checks', () => {
  const calls = /(?:draftError|draftWarning|\berror)\(\s*(?:place,\s*)?'([a-z]+(?:_[a-z]+)+)'/g;
  const codes = sources.flatMap((text) => [...text.matchAll(calls)].map(([, code]) => code));
  expect(codes.length).toBeGreaterThan(80);
  const page = read('docs/reference/draft-findings.md');
  expect([...new Set(codes)].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

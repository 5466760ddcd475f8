// Tools that are never called: the tests only load them.
import { readFileSync } from 'node:fs';

const { tools } = JSON.parse(
  readFileSync(new URL('../fixtures/refund/tools.json', import.meta.url), 'utf8'),
);

export const createTools = () => Object.fromEntries(tools.map(({ name }) => [name, () => ({})]));

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { guardPolicyJsonSchema, openGuard, toGuardPolicy } from '../../src/index.js';
import { createWorld, RULES, SERVER } from './records.js';

const document = readFileSync('docs/how-to/guard.md', 'utf8');

// `npm run schemas` rewrites the file.
it('has the published JSON Schema, which accepts the policy of the document', () => {
  const published = JSON.parse(readFileSync('schemas/guard.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(guardPolicyJsonSchema())));
  const [, shown] = /```json\n(\{\n {2}"schema"[\s\S]*?)```/.exec(document) ?? [];
  const policy = JSON.parse(shown ?? '');
  expect(toGuardPolicy(policy).approvers).toEqual(['kim']);
  const validate = new Ajv2020({ strict: false }).compile(published);
  expect(validate(policy)).toBe(true);
  expect(validate({ ...policy, approver: [] })).toBe(false);
});

it('is refused with the place of the mistake', () => {
  const wrong = {
    schema: 'alas-jssp/guard@1',
    servers: { a: { tools: { b: { access: 'raed' } } } },
  };
  expect(() => toGuardPolicy(wrong, 'guard.json')).toThrow(
    /guard\.json:\$\.servers\.a\.tools\.b\.access.*give read, change or irreversible/,
  );
  const both = { schema: 'alas-jssp/guard@1', servers: { a: { command: 'x', http: 'http://y' } } };
  expect(() => toGuardPolicy(both)).toThrow('has a command and an address');
});

it('is refused where it contradicts itself or the server', async () => {
  const world = createWorld();
  const opened = (rules: object) =>
    openGuard({ log: world.log, policy: world.policy([], {}, { ...RULES, ...rules } as never) });
  for (const [rules, message] of [
    [{ ad: { access: 'read' } }, 'has no tool ad; did you mean add?'],
    [{ add: { access: 'change' } }, 'the tool add has no undo'],
    [{ add: { access: 'change', inverse: { tool: 'delete' } } }, 'which its server lacks'],
    [{ find: { access: 'read', inverse: { tool: 'remove' } } }, 'only reads and has an undo'],
    [{ set: { ...RULES.set, before: { tool: 'remove' } } }, 'which is no read'],
    [{ add: { access: 'change', compensation: 'nothing' } }, 'names the compensation nothing'],
    [
      { set: { ...RULES.set, inverse: { tool: 'set', input: { id: 'outptu.id' } } } },
      '$.servers.records.tools.set.inverse.input.id: the source outptu.id does not exist',
    ],
    [
      { add: { ...RULES.add, check: { ...RULES.add.check, done: '$found >' } } },
      '$.servers.records.tools.add.check.done: ',
    ],
  ] as const) {
    await expect(opened(rules), message).rejects.toThrow(message);
  }
});

it('is refused for validators that would never be asked, or that are no expressions', async () => {
  const world = createWorld();
  const opened = (validator: object) =>
    openGuard({
      log: world.log,
      policy: world.policy([], { validators: [{ name: 'v', ...validator } as never] }),
    });
  await expect(opened({ tools: ['ad'], holds: 'true' })).rejects.toThrow(
    '$.validators[0].tools: the validator v is for ad, which no server has; did you mean add?',
  );
  await expect(opened({ holds: '$nothing = 1' })).rejects.toThrow('$.validators[0].holds: ');
});

it('is refused for a name of a server with other characters, and for a command that does not exist', async () => {
  const world = createWorld();
  const command = [process.execPath, SERVER, world.file];
  const named = { ...world.policy(), servers: { my_notes: { command } } };
  await expect(openGuard({ log: world.log, policy: named })).rejects.toThrow(
    'use letters, digits and - in the name of a server',
  );
  const missing = { ...world.policy(), servers: { notes: { command: 'no-such-command-here' } } };
  await expect(openGuard({ log: world.log, policy: missing })).rejects.toThrow('ENOENT');
});

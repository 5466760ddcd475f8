import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { KeyedCaller } from '../../src/shops/shop-directory.js';
import { openService, problemIn } from '../http/service.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
const down = (from: number) => ({
  events: [{ kind: 'breakdown', machine: 'Machine3', from, to: from + 20 }],
  now: from,
});

/** Damages of the file of a log: at the beginning, in the middle or at the end of a shop. */
const DAMAGES: Readonly<Record<string, string>> = {
  'first-deleted': 'DELETE FROM entries WHERE version = 0 AND',
  'first-emptied': `UPDATE entries SET payload = '{}' WHERE version = 0 AND`,
  'first-garbage': `UPDATE entries SET payload = CAST(x'ff00' AS TEXT) WHERE version = 0 AND`,
  'a-plan-changed': `UPDATE entries SET payload = replace(payload, '"start":[0', '"start":[1') WHERE version = 0 AND`,
  'all-deleted': 'DELETE FROM entries WHERE',
  'middle-emptied': `UPDATE entries SET payload = '{}' WHERE version > 2 AND`,
  'middle-deleted': 'DELETE FROM entries WHERE version = 3 AND',
  'middle-garbage': `UPDATE entries SET payload = '{"a":' WHERE version = 4 AND`,
};

it('shops with a damaged log are listed and answer 503, and the operator is notified', async () => {
  const data = temporaryDirectory();
  const first = await openShopDirectory({ data });
  const ids = ['whole', ...Object.keys(DAMAGES)];
  for (const id of ids) {
    await first.create({ id, instance: 'ft06' }, kim);
    await first.report(id, down(10), kim);
  }
  await first.stop();
  const database = new Database(join(data, 'shops.db'));
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) database.exec(`DROP TRIGGER ${name}`);
  for (const [id, sql] of Object.entries(DAMAGES)) {
    database.exec(`${sql} CAST(run_id AS TEXT) = '${id}'`);
  }
  database.close();

  const said: string[] = [];
  const onFault = (error: unknown) => void said.push((error as Error).message);
  const directory = await openShopDirectory({ data, onFault });
  onTestFinished(() => directory.stop());
  const { url } = await openService({ directory });
  const listed = (await (await fetch(`${url}/shops`)).json()) as Record<string, unknown>[];
  expect(Object.fromEntries(listed.map(({ id, status }) => [id, status]))).toEqual({
    whole: 'open',
    ...Object.fromEntries(Object.keys(DAMAGES).map((id) => [id, 'unavailable'])),
  });
  expect(JSON.stringify(listed)).not.toContain(data);
  const count = ids.length - 1;
  for (const id of Object.keys(DAMAGES)) {
    expect(said.filter((line) => line.includes(`"${id}" cannot be opened`))).toHaveLength(1);
    for (const path of ['', '/story', '/plan']) {
      const { status, code } = await problemIn(await fetch(`${url}/shops/${id}${path}`));
      expect([id, status, code]).toEqual([
        id,
        503,
        expect.stringMatching(/^(changed|damaged)_log/),
      ]);
    }
    const same = directory.create({ id, instance: 'ft06' }, kim);
    await expect(same).rejects.toMatchObject({
      code: expect.stringMatching(/_log$|^shop_exists$/),
    });
  }
  expect(said.at(-1)).toMatch(new RegExp(`^${count} of ${count + 1} shops of the log cannot`));
  expect(await directory.report('whole', down(20), kim)).toMatchObject({ version: 3 });
});

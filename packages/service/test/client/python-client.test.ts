import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { operationSchema } from '../../src/api/common.js';
import { changeSchema, dryRunSchema, outcomeSchema } from '../../src/api/shop-schemas.js';
import { loseAnswers, serveShops } from '../served.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

/** Runs Python with the client imported and a service at hand; gives what it prints as JSON. */
async function python(url: string, code: string): Promise<unknown> {
  const head = `
import json, sys
sys.path.insert(0, "clients/python")
from alas_jssp import *
import alas_jssp
service = Service(sys.argv[1], patience=20)
`;
  const args = ['-B', '-c', head + code, url];
  const { stdout } = await promisify(execFile)('python3', args, {
    cwd: root,
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

const EVENT = '{"kind": "breakdown", "machine": "Machine2", "from": 12, "to": 20}';

describe.skipIf(!hasPython)('the client in Python', () => {
  it('opens a shop, asks what an event would cost, reports it and follows the changes', async () => {
    const code = `
shop = service.open_shop("ft06", id="monday")
trials = shop.what_if([${EVENT}], ["default", {"target": 0}])["trials"]
outcome = shop.report([${EVENT}])
few = service.open_shop("ft06").report([${EVENT}], row="few-moves")
shop.undo(1)
story = shop.story()
plan = shop.plan(version=2)
shop.close()
kinds = [change["kind"] for change in shop.changes("0")]
kinds += [change["kind"] for change in shop.changes()]
print(json.dumps([len(trials), trials[0]["makespan"] == outcome["makespan"], outcome["version"],
    len(story), "entries" in plan, kinds, few["row"], few["method"]]))`;
    const kinds = ['committed', 'committed', 'closed'];
    expect(await python(await serveShops(), code)).toEqual([
      ...[2, true, 2, 4, true, kinds],
      ...['few-moves', 'postpone'],
    ]);
  });

  it('sends a report again whose answer was lost, and nothing happens twice', async () => {
    const url = await loseAnswers(await serveShops(), (_, path) => path.endsWith('/events'));
    const code = `
shop = service.open_shop("ft06")
outcome = shop.report([${EVENT}])
print(json.dumps([outcome["repeated"], shop.state()["version"]]))`;
    expect(await python(url, code)).toEqual([true, 2]);
  });

  it('raises what is wrong with a request, where, and what would be right', async () => {
    const code = `
shop = service.open_shop("ft06")
try:
    shop.report([{"kind": "breakdown", "machine": "Machine9", "from": 1}])
except Problem as problem:
    print(json.dumps([problem.status, problem.path, problem.hint]))`;
    expect(await python(await serveShops(), code)).toEqual([
      400,
      expect.stringContaining('events[0]'),
      expect.any(String),
    ]);
  });

  it('optimizes with progress, judges and explains what it got', async () => {
    const code = `
progress = []
best = service.optimize("ft06", on_progress=progress.append, budget={"iterations": 2000})
judged = service.validate("ft06", best["plan"])
explained = service.explain("ft06", best["plan"], events=[${EVENT}])
repaired = service.repair("ft06", best["plan"], on_progress=progress.append, events=[${EVENT}])
print(json.dumps([best["value"], len(progress) > 0, judged["valid"], len(explained["lines"]) > 0,
    repaired["feasible"], "ft06" in [one["name"] for one in service.instances()], service.health()["status"]]))`;
    const expected = [55, true, true, true, true, true, 'ok'];
    expect(await python(await serveShops(), code)).toEqual(expected);
  });

  it('names the address where no service answers', async () => {
    const code = `
service = Service(sys.argv[1], patience=0)
try:
    service.health()
except ConnectionError as problem:
    print(json.dumps(str(problem)))`;
    expect(await python('http://127.0.0.1:1', code)).toMatch(
      /^no service answers at http:\/\/127\.0\.0\.1:1 .*; alas-jssp serve starts one$/,
    );
  });

  it('has types with the keys of the answers', async () => {
    const names = { Outcome: outcomeSchema, Change: changeSchema, DryRun: dryRunSchema };
    const code = `
print(json.dumps({name: sorted(getattr(alas_jssp, name).__annotations__)
    for name in ("Outcome", "Change", "DryRun", "Operation", "Trial")}))`;
    const keys = ({ shape }: z.ZodObject) => Object.keys(shape).sort();
    expect(await python('http://127.0.0.1:1', code)).toEqual({
      ...Object.fromEntries(Object.entries(names).map(([name, one]) => [name, keys(one)])),
      Operation: keys(operationSchema),
      Trial: keys(dryRunSchema.shape.trials.element),
    });
  });
});

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../../cli/cli.js';

let good = '';

beforeAll(async () => {
  good = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
  const planner = ['--planner', 'insertion', '--planner', 'dispatch:mwkr'];
  await cli(['run', '--suite', 'ft', ...planner, '--save-schedules', '--out', good, '--quiet']);
  await cli(['submit', good, '--sums', '--quiet']);
});

afterAll(() => rmSync(good, { recursive: true, force: true }));

/** A copy of the good submission, changed; its checksums are written again unless they shall be wrong. */
function changed(change: (directory: string) => void): string {
  const directory = join(temporaryDirectory(), 'run');
  cpSync(good, directory, { recursive: true });
  change(directory);
  return directory;
}

async function faultsOf(directory: string, sums = true): Promise<string> {
  const { code, stdout, stderr } = await cli([
    'submit',
    directory,
    ...(sums ? ['--sums'] : []),
    '--format',
    'table',
  ]);
  expect(code, stdout + stderr).toBe(1);
  expect(stdout).toContain('does not hold');
  return stdout;
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

function editRecord(directory: string, line: number, change: Record<string, unknown>): void {
  edit(join(directory, 'records.jsonl'), (text) => {
    const lines = text.split('\n');
    return lines
      .with(line - 1, JSON.stringify({ ...JSON.parse(lines[line - 1]), ...change }))
      .join('\n');
  });
}

const schedule = 'schedules/ft06__insertion__full__0.json';

describe('a submission that holds', () => {
  it('becomes an entry with every schedule judged, and a line of the leaderboard', async () => {
    const out = join(temporaryDirectory(), 'entry.json');
    const by = ['--by', 'Ada', '--link', 'https://example.org/a'];
    const { code, stdout } = await cli(['submit', good, ...by, '--out', out, '--json']);
    expect(code).toBe(0);
    const entry = JSON.parse(stdout);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(entry);
    expect(entry).toMatchObject({ by: 'Ada', links: ['https://example.org/a'], threads: 1 });
    expect(entry).toMatchObject({ schedules: 'judged', suite: 'ft' });
    expect(entry.results).toHaveLength(6);
    expect(entry.results[0]).toMatchObject({ instance: 'ft06', makespan: 59, upper_bound: 55 });
    for (const { schedule_sha256 } of entry.results) expect(schedule_sha256).toMatch(/^\w{64}$/);
    const table = await cli(['submit', '--table', out, '--json']);
    const { standings } = JSON.parse(table.stdout);
    expect(standings.map(({ planner }: { planner: string }) => planner)).toEqual([
      'insertion',
      'dispatch:mwkr',
    ]);
    expect(standings[0]).toMatchObject({ instances: 3, success_percent: 100 });
  });

  it.each([
    ['--by', ''],
    ['--by', 'Ada\u202egnp'],
    ['--by', 'Ada\nand others'],
    ['--by', 'a'.repeat(201)],
    ['--link', 'javascript:alert(1)'],
    ['--link', 'http://example.org/'],
    ['--link', 'example.org'],
  ])('is not signed with a name or a link that pages cannot show: %s %j', async (option, text) => {
    const { code, stdout, stderr } = await cli(['submit', good, option, text]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/: a name is one line|: a link is an address/);
    expect(stderr.trim()).not.toContain('\n');
  });

  it('says that it is not re-judged if its schedules are not saved', async () => {
    const directory = changed((run) => {
      rmSync(join(run, 'schedules'), { recursive: true });
      rmSync(join(run, 'SHA256SUMS'));
    });
    const outcome = await cli(['submit', directory, '--without-schedules', '--format', 'table']);
    expect(outcome.stdout).toContain('not re-judged');
    expect(outcome.code).toBe(0);
    expect(await faultsOf(directory)).toContain('success without a schedule');
  });
});

describe('a submission that does not hold', () => {
  it('a forged makespan', async () => {
    const directory = changed((run) => editRecord(run, 1, { makespan: 55 }));
    expect(await faultsOf(directory)).toMatch(
      /records\.jsonl:1: the makespan is 59, but the record states 55/,
    );
  });

  it('a moved operation', async () => {
    const directory = changed((run) =>
      edit(join(run, schedule), (text) =>
        text.replace('"start":29,"end":36', '"start":21,"end":28'),
      ),
    );
    expect(await faultsOf(directory)).toMatch(/ft06__insertion__full__0\.json: the validator/);
  });

  it('an instance of other numbers, and one that is no benchmark', async () => {
    const other = changed((run) =>
      edit(join(run, 'manifest.json'), (text) => text.replace(/"sha256": "../, '"sha256": "00')),
    );
    expect(await faultsOf(other)).toMatch(/manifest\.json: the instance ft06 has other numbers/);
    const unknown = changed((run) =>
      edit(join(run, 'manifest.json'), (text) =>
        text.replace('"instance": "ft06"', '"instance": "/etc/x.txt"'),
      ),
    );
    expect(await faultsOf(unknown)).toContain('is no benchmark of the package');
  });

  it('an instance of the suite that the run leaves out', async () => {
    const directory = changed((run) =>
      edit(join(run, 'manifest.json'), (text) =>
        text.replace('"suite": "ft",', '"suite": "ft,abz5",'),
      ),
    );
    expect(await faultsOf(directory)).toContain('the instance abz5 of the suite abz5 is missing');
  });

  it('a missing record, and a success without a schedule', async () => {
    const lacking = changed((run) =>
      edit(join(run, 'records.jsonl'), (text) => text.split('\n').slice(1).join('\n')),
    );
    expect(await faultsOf(lacking)).toMatch(/records\.jsonl: no record of insertion on ft06/);
    const bare = changed((run) => rmSync(join(run, schedule)));
    expect(await faultsOf(bare)).toMatch(/records\.jsonl:1: success without a schedule/);
  });

  it('a duplicate record', async () => {
    const directory = changed((run) =>
      edit(join(run, 'records.jsonl'), (text) => `${text}${text.split('\n')[0]}\n`),
    );
    const faults = await faultsOf(directory);
    expect(faults).toMatch(/records\.jsonl:7: this is the record of line 1 again/);
    expect(faults).toMatch(/summary\.json: it counts 6 records, but there are 7/);
  });

  it('a claim of optimality beyond the bounds', async () => {
    const claim = { proven_optimal: true, lower_bound: 59 };
    const faults = await faultsOf(changed((run) => editRecord(run, 1, claim)));
    expect(faults).toMatch(/records\.jsonl:1: it states a lower bound of 59, but 55 is known/);
    expect(faults).toMatch(/records\.jsonl:1: it claims a proof of optimality/);
  });

  it('a smaller gap, a greater optimality, and both by an upper bound of its own', async () => {
    const gap = await faultsOf(changed((run) => editRecord(run, 1, { gap_percent: 0 })));
    expect(gap).toMatch(
      /records\.jsonl:1: it states a gap of 0\.00 %, but makespan and known bounds show 7\.27 %/,
    );
    const optimality = changed((run) => editRecord(run, 1, { optimality_percent: 100 }));
    expect(await faultsOf(optimality)).toMatch(/an optimality of 100\.00 %, but .* show 93\.22 %/);
    const own = { upper_bound: 59, gap_percent: 0, optimality_percent: 100 };
    const faults = await faultsOf(changed((run) => editRecord(run, 1, own)));
    expect(faults).toMatch(/does not hold: 2 faults/);
    const none = { status: 'error', feasible: false, makespan: null, gap_percent: 3 };
    const failed = changed((run) => {
      editRecord(run, 1, { ...none, optimality_percent: null, proven_optimal: false });
      rmSync(join(run, schedule));
    });
    expect(await faultsOf(failed)).toMatch(/a gap of 3\.00 %, but .* show none/);
  });

  it('a wrong checksum, a missing one, and paths that lead out', async () => {
    const wrong = changed((run) =>
      edit(join(run, 'SHA256SUMS'), (text) => {
        const lines = text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')).split('\n');
        return [...lines.toSpliced(1, 1), `${'0'.repeat(64)}  ../outside\n`].join('\n');
      }),
    );
    const faults = await faultsOf(wrong, false);
    expect(faults).toMatch(/SHA256SUMS:1: manifest\.json has another checksum/);
    expect(faults).toContain('SHA256SUMS: records.jsonl has no checksum');
    expect(faults).toMatch(/SHA256SUMS:\d+: \.\.\/outside: the path leads out/);
  });

  it('a certificate that is not true', async () => {
    const directory = changed((run) => {
      mkdirSync(join(run, 'certificates'));
      writeFileSync(join(run, 'certificates/ft06.json'), '{"instance":{"name":"ft06"}}');
    });
    expect(await faultsOf(directory)).toMatch(/certificates\/ft06\.json: \$/);
  });

  it('a later version of a file', async () => {
    const directory = changed((run) =>
      edit(join(run, schedule), (text) => text.replace('plan@1', 'plan@9')),
    );
    expect(await faultsOf(directory)).toContain('plan@9');
    const manifest = changed((run) =>
      edit(join(run, 'manifest.json'), (text) => text.replace('manifest@1', 'manifest@9')),
    );
    expect(await faultsOf(manifest)).toMatch(/manifest\.json: .*manifest@9/);
  });

  it('lists at most twenty faults', async () => {
    const directory = changed((run) =>
      edit(join(run, 'manifest.json'), (text) =>
        text.replace('"suite": "ft",', '"suite": "ft,la",'),
      ),
    );
    const faults = await faultsOf(directory);
    expect(faults).toContain('40 faults, of which 20 are listed');
    expect(faults.trim().split('\n')).toHaveLength(21);
  });
});

describe('a hostile submission', () => {
  it('links are not followed, even to a right schedule', async () => {
    const directory = changed((run) => {
      rmSync(join(run, schedule));
      symlinkSync(join(good, schedule), join(run, schedule));
    });
    expect(await faultsOf(directory, false)).toContain('links are not followed');
    const folder = changed((run) => {
      rmSync(join(run, 'schedules'), { recursive: true });
      symlinkSync(join(good, 'schedules'), join(run, 'schedules'));
    });
    expect(await faultsOf(folder, false)).toContain('links are not followed');
  });

  it('checksums are not written through a link', async () => {
    const other = join(temporaryDirectory(), 'precious');
    writeFileSync(other, 'mine');
    const directory = changed((run) => {
      rmSync(join(run, 'SHA256SUMS'));
      symlinkSync(other, join(run, 'SHA256SUMS'));
    });
    const { code, stderr } = await cli(['submit', directory, '--sums']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('links are not followed')]);
    expect(readFileSync(other, 'utf8')).toBe('mine');
  });

  it('a key twice is refused: another program may believe the other one', async () => {
    const twice = (file: string, key: string) =>
      changed((run) =>
        edit(join(run, file), (text) =>
          text.replace(key, `${key.replace('s"', '\\u0073"')}1,${key}`),
        ),
      );
    const record = changed((run) =>
      edit(join(run, 'records.jsonl'), (text) =>
        text.replace('"makespan":', '"makespan":1,"makespan":'),
      ),
    );
    expect(await faultsOf(record)).toContain('an object has a key twice');
    expect(await faultsOf(twice(schedule, '"makespan":'))).toContain('an object has a key twice');
    expect(await faultsOf(twice('manifest.json', '"replicates": '))).toContain('a key twice');
  });

  it('huge files, deep JSON and endless matrices are refused', async () => {
    const huge = changed((run) => truncateSync(join(run, schedule), 2 ** 27));
    expect(await faultsOf(huge, false)).toContain('larger than 64 MiB');
    const deep = changed((run) => writeFileSync(join(run, schedule), '['.repeat(1e6)));
    expect(await faultsOf(deep)).toContain('nested more than 32 deep');
    const endless = changed((run) =>
      edit(join(run, 'manifest.json'), (text) =>
        text.replace('"replicates": 1,', '"replicates": 1000000000,'),
      ),
    );
    expect(await faultsOf(endless)).toContain('records; 1 to 100000 are possible');
  });

  it('a suite of files is not read', async () => {
    const directory = changed((run) =>
      edit(join(run, 'manifest.json'), (text) =>
        text.replace('"suite": "ft",', '"suite": "/dev/stdin",'),
      ),
    );
    expect(await faultsOf(directory)).toContain('/dev/stdin is no suite of the package');
  });
});

it('wrong usage ends with exit code 2', async () => {
  const absent = await cli(['submit', join(good, 'absent')]);
  expect(absent.code).toBe(2);
  expect(absent.stderr).toMatch(/there is no directory of this name/);
  const file = await cli(['submit', join(good, 'manifest.json')]);
  expect(file.code).toBe(2);
  expect(file.stderr).toMatch(/manifest\.json: this is no directory; give the directory of a run/);
  expect((await cli(['submit', good, good])).code).toBe(2);
  expect((await cli(['submit', '--table', join(good, 'manifest.json')])).code).toBe(2);
  expect(readdirSync(good)).toContain('SHA256SUMS');
});

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// As install.sh has it.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const schemathesis = join(home, 'schemathesis-4.32.5', 'bin', 'schemathesis');
const isInstalled = existsSync(schemathesis);

const TOKEN = 'token-for-what-is-made-up';
const place = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
let service: ChildProcess;
let url = '';
let said = '';

beforeAll(async () => {
  if (!isInstalled) return;
  const tokens = join(place, 'tokens.json');
  writeFileSync(tokens, JSON.stringify([{ name: 'fuzz', role: 'decide', token: TOKEN }]), {
    mode: 0o600,
  });
  const limits = ['seconds=2', 'operations=2000'].flatMap((limit) => ['--limit', limit]);
  const options = ['--port', '0', '--data', join(place, 'shops'), '--tokens', tokens, ...limits];
  service = spawn(process.execPath, ['bin/alas-jssp.js', 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service.stderr?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  url = await new Promise((resolve, reject) => {
    if (service.stdout) createInterface(service.stdout).once('line', resolve);
    service.once('exit', () => reject(new Error(said)));
  });
});

afterAll(async () => {
  if (isInstalled && service.exitCode === null) {
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
  }
  rmSync(place, { recursive: true, force: true });
});

test.skipIf(!isInstalled)(
  'Schemathesis makes requests up from the OpenAPI document: no fault, and nothing that it does not tell of',
  async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const shop = { id: 'fuzzed', instance: 'ft06' };
    const opened = await fetch(`${url}/shops`, {
      method: 'POST',
      headers,
      body: JSON.stringify(shop),
    });
    expect(opened.status).toBe(201);
    const checks = [
      'not_a_server_error',
      'status_code_conformance',
      'content_type_conformance',
      'response_schema_conformance',
      'ignored_auth',
    ];
    const options = [
      ...['--header', `Authorization: Bearer ${TOKEN}`, '--checks', checks.join(',')],
      // A stream of changes does not end.
      ...['--exclude-operation-id', 'followShop', '--request-timeout', '30'],
      ...['--max-examples', process.env.ALAS_JSSP_FUZZ ?? '25', '--seed', '1', '--no-color'],
      ...['--suppress-health-check', 'all', '--continue-on-failure', '--warnings', 'off'],
    ];
    const { stdout } = await promisify(execFile)(
      schemathesis,
      ['run', `${url}/openapi.json`, ...options],
      { cwd: place, maxBuffer: 2 ** 26 },
    ).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
    expect(stdout).toMatch(/\d{3,} generated/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(said).not.toMatch(/ at .*\.js:\d+/);
  },
);

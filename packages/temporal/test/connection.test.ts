import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import {
  connect as connectHttp2,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { find, startServer } from '../server.mjs';
import { parseAddress } from '../src/address.js';
import { connect, connectWorker } from '../src/connection.js';

const place = mkdtempSync(join(tmpdir(), 'alas-jssp-tls-'));
const at = (file: string) => join(place, file);

/** Makes an authority, and a certificate of it for a server or a client. */
function makeCertificates(): void {
  const openssl = (line: string) =>
    execFileSync('openssl', line.split(' '), { cwd: place, stdio: 'pipe' });
  openssl(
    'req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority',
  );
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost');
  for (const name of ['server', 'client']) {
    openssl(`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    openssl(
      `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out ${name}.pem`,
    );
  }
}

/** Stands before a server as a hosted service does: with TLS, certificates of clients, and keys of access. */
function startGate(port: number, seen: IncomingHttpHeaders[]): Promise<Http2SecureServer> {
  const inside = connectHttp2(`http://127.0.0.1:${port}`);
  const gate = createSecureServer({
    key: readFileSync(at('server.key')),
    cert: readFileSync(at('server.pem')),
    ca: readFileSync(at('ca.pem')),
    requestCert: true,
    rejectUnauthorized: true,
  });
  gate.on('stream', (stream: ServerHttp2Stream, headers) => {
    seen.push(headers);
    const { ':authority': _, ...rest } = headers;
    const asked = inside.request(rest);
    stream.pipe(asked);
    let trailers: IncomingHttpHeaders = {};
    asked.on('trailers', (given) => {
      trailers = given;
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    asked.on('response', (answer, flags) => {
      const isAll = (flags & 1) === 1;
      stream.respond(answer, { waitForTrailers: !isAll, endStream: isAll });
      if (!isAll) asked.pipe(stream);
    });
    for (const end of [stream, asked]) end.on('error', () => {});
  });
  gate.on('close', () => inside.close());
  return new Promise((resolve) => gate.listen(0, () => resolve(gate)));
}

describe.skipIf(find() === undefined)('a connection', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let gate: Http2SecureServer;
  const seen: IncomingHttpHeaders[] = [];

  beforeAll(async () => {
    makeCertificates();
    server = await startServer();
    gate = await startGate(server.port, seen);
  });

  afterAll(async () => {
    gate.close();
    await server.stop();
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    seen.length = 0;
  });

  const secure = () => `temporal://localhost:${(gate.address() as AddressInfo).port}`;

  function useCertificates(): void {
    vi.stubEnv('TEMPORAL_TLS_SERVER_CA_CERT_PATH', at('ca.pem'));
    vi.stubEnv('TEMPORAL_TLS_CLIENT_CERT_PATH', at('client.pem'));
    vi.stubEnv('TEMPORAL_TLS_CLIENT_KEY_PATH', at('client.key'));
    vi.stubEnv('TEMPORAL_API_KEY', 'key-of-access');
  }

  it('of clients and workers has the TLS and the key of access of the environment', async () => {
    useCertificates();
    const address = parseAddress(secure());
    const client = await connect(address);
    await client.workflowService.getSystemInfo({});
    await client.connection.close();
    expect(seen.at(-1)?.authorization).toBe('Bearer key-of-access');
    seen.length = 0;
    const { connection } = await connectWorker(address);
    await connection.workflowService.getSystemInfo({});
    await connection.close();
    expect(seen.at(-1)?.authorization).toBe('Bearer key-of-access');
  });

  it('has the server, the namespace and the rest of a profile', async () => {
    const file = at('profiles.toml');
    writeFileSync(
      file,
      `[profile.shop]
address = "localhost:${(gate.address() as AddressInfo).port}"
namespace = "default"
api_key = "of-the-profile"
[profile.shop.tls]
server_ca_cert_path = "${at('ca.pem')}"
client_cert_path = "${at('client.pem')}"
client_key_path = "${at('client.key')}"
`,
    );
    vi.stubEnv('TEMPORAL_CONFIG_FILE', file);
    vi.stubEnv('TEMPORAL_PROFILE', 'shop');
    const client = await connect(parseAddress('temporal:?queue=q'));
    await client.workflowService.describeNamespace({ namespace: 'default' });
    await client.connection.close();
    expect(seen.at(-1)?.authorization).toBe('Bearer of-the-profile');
  });

  it.each(['connect', 'connectWorker'] as const)('says why there is none (%s)', async (how) => {
    const open = how === 'connect' ? connect : connectWorker;
    const plain = parseAddress(secure());
    await expect(open(plain)).rejects.toMatchObject({
      code: 'no_server',
      message: expect.stringMatching(
        /^no Temporal server answers at localhost:\d+ \(without TLS\): /,
      ),
    });
    useCertificates();
    vi.stubEnv('TEMPORAL_TLS_CLIENT_CERT_PATH', at('none.pem'));
    await expect(open(plain)).rejects.toMatchObject({ code: 'bad_profile' });
  });
});

/** Answers as a server that is starting: the first requests are refused, as the frontend of Temporal does. */
function startSlowServer(refused: number): Promise<Http2Server> {
  let left = refused;
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    const isRefused = left-- > 0;
    const answer = { ':status': 200, 'content-type': 'application/grpc' };
    if (isRefused) {
      const reason = { 'grpc-status': '14', 'grpc-message': 'Frontend is not healthy yet' };
      stream.respond({ ...answer, ...reason }, { endStream: true });
      return;
    }
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.respond(answer, { waitForTrailers: true });
    // A message without fields: no compression, and a length of 0.
    stream.end(Buffer.alloc(5));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

it.each([
  ['clients', connect],
  ['workers', connectWorker],
] as const)('a connection of %s waits for a server that is not healthy yet', async (_, open) => {
  const server = await startSlowServer(3);
  const { port } = server.address() as AddressInfo;
  const { connection } = await open(parseAddress(`temporal://127.0.0.1:${port}`));
  await connection.close();
  server.close();
});

describe('an address', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('takes what it leaves out from the settings of Temporal', () => {
    vi.stubEnv('TEMPORAL_ADDRESS', 'there:7000');
    vi.stubEnv('TEMPORAL_NAMESPACE', 'ours');
    const queue = 'alas-jssp';
    expect(parseAddress('temporal:')).toEqual({ server: 'there:7000', namespace: 'ours', queue });
    expect(parseAddress('temporal://here')).toEqual({
      ...{ server: 'here:7233', namespace: 'ours', queue },
    });
    expect(parseAddress('temporal://here:1/other?queue=q')).toEqual({
      ...{ server: 'here:1', namespace: 'other', queue: 'q' },
    });
    vi.stubEnv('TEMPORAL_ADDRESS', undefined);
    expect(() => parseAddress('temporal:')).toThrow(/names no host, and TEMPORAL_ADDRESS neither/);
  });
});

import { InputError } from '@alas-jssp/core/errors';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { type AppOptions, createApp } from '../../src/http/app.js';
import type { ShopDirectory } from '../../src/shops/shop-directory.js';

/** A service that listens until the test ends. */
export interface TestService {
  readonly url: string;
  readonly app: FastifyInstance;
}

export async function openService(options: Partial<AppOptions> = {}): Promise<TestService> {
  const app = await createApp({ directory: echoDirectory(), ...options });
  onTestFinished(() => app.close());
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** Sends JSON. */
export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
  });
}

/** The problem in an answer, which shows nothing of the inside of the service. */
export async function problemIn(response: Response): Promise<{ status: number; code: string }> {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = (await response.json()) as { status: number; code: string; title: string };
  expect(problem.status).toBe(response.status);
  expect(JSON.stringify(problem)).not.toMatch(/node_modules|\.ts|\n {4}at /);
  return problem;
}

/** A directory with one shop, which says what it was asked: routes are tested with it, and nothing of shops. */
function echoDirectory(): ShopDirectory {
  const echo =
    (name: string) =>
    async (...args: unknown[]): Promise<never> => {
      if (args[0] === 'none') throw new InputError('no_shop', 'there is no shop none', 'open it');
      return { name, args } as never;
    };
  const directory: ShopDirectory = {
    as: () => directory,
    in: () => directory,
    create: async (request, teller) => ({ id: request.id ?? 'made-up', teller }) as never,
    list: async () => [],
    counts: () => ({ open: 0, opening: 0 }),
    state: echo('state'),
    view: echo('view'),
    plan: echo('plan'),
    schedule: echo('schedule'),
    report: echo('report'),
    reportJson: async (...args) => JSON.stringify(await echo('report')(...args)),
    tryOut: echo('tryOut'),
    wish: echo('wish'),
    undo: echo('undo'),
    withdraw: echo('withdraw'),
    moves: echo('moves'),
    approve: echo('approve'),
    decline: echo('decline'),
    close: echo('close'),
    changes: async function* (_, after, signal) {
      yield { id: `${after ?? ''}1`, kind: 'opened' } as never;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    lastChanges: async () => [],
    story: async () => ['version 1 is the plan'],
    release: async () => {},
    load: () => ({ threads: [], quarantined: 0, isHanging: false }),
    warmUp: () => {},
    stop: async () => {},
  };
  return directory;
}

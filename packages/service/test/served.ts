import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { createApp } from '../src/http/app.js';
import type { AccessToken } from '../src/http/tokens.js';
import { openShopDirectory } from '../src/shops/open-directory.js';

/** A service with shops of its own, until the test is over; gives its address. */
export async function serveShops(tokens: readonly AccessToken[] = []): Promise<string> {
  const directory = await openShopDirectory({ data: join(temporaryDirectory(), 'shops') });
  const app = await createApp({ directory, tokens });
  onTestFinished(async () => {
    await app.close();
    await directory.stop();
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Something between a client and a service that loses the first answer to each request that `loses` says. */
export async function loseAnswers(
  service: string,
  loses: (method: string, url: string) => boolean,
): Promise<string> {
  const lost = new Set<string>();
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const { host } = new URL(service);
    const options = { method, headers: { ...headers, host } };
    const onward = forward(new URL(url, service), options, (answer) => {
      const name = `${method} ${url}`;
      if (loses(method, url) && !lost.has(name)) {
        lost.add(name);
        answer.resume().on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      response.on('close', () => answer.destroy());
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

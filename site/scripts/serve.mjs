import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { DIST } from './places.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves the finished site below a path, as hosts of static pages do. */
export function serve({ base, port = 0 }) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    const file = fileOf(decodeURIComponent(pathname), base);
    response.statusCode = file === null ? 404 : 200;
    const shown = file ?? join(DIST, '404.html');
    response.setHeader('content-type', TYPES[extname(shown)] ?? 'application/octet-stream');
    createReadStream(shown).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      const address = `http://127.0.0.1:${server.address().port}${base}`;
      const close = () => new Promise((closed) => server.close(closed).closeAllConnections());
      resolve({ address, close });
    });
  });
}

/** The path below which the site was built last. @throws if it was not built */
export function builtBase() {
  const page = join(DIST, 'index.html');
  if (!existsSync(page)) throw new Error('the site is not built: run npm run site first');
  const [, base = '/'] = /href="([^"]*)favicon\.svg"/.exec(readFileSync(page, 'utf8')) ?? [];
  return base;
}

/** The file that a host of static pages sends for a path, or null. */
export function fileOf(path, base) {
  if (!path.startsWith(base)) return null;
  const file = join(DIST, normalize(path.slice(base.length)));
  if (!`${file}/`.startsWith(DIST) || !existsSync(file)) return null;
  if (!statSync(file).isDirectory()) return file;
  const index = join(file, 'index.html');
  return path.endsWith('/') && existsSync(index) ? index : null;
}

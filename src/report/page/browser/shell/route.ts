import { useEffect, useState } from 'preact/hooks';

/** The current view, as the parts of the address: `record` and `KEY` for `#/record/KEY`, none for `#/`. */
export type Route = readonly string[];

/** The route of a hash, with or without its sign. */
function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#?\/?/, '').split('/');
  return parts.filter((part) => part !== '').map(decoded);
}

/** The hash of a view, for links. */
export function routeTo(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** A part of an address as text, which may be anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The route in the address, or the home of the page if there is none. */
export function useRoute(home: string): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const route = parseRoute(hash);
  return route.length === 0 ? parseRoute(home) : route;
}

import type { DetailKinds, PageData } from '../../views/page-data.js';

/** The data that the page shows immediately. */
export function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? 'null');
}

/**
 * Opens a detail of the page: null if the page has none with this key.
 *
 * @throws Error in one line if the stored detail is damaged
 */
export async function openDetail<Kind extends keyof DetailKinds>(
  kind: Kind,
  key: string,
): Promise<DetailKinds[Kind] | null> {
  const packed = document.getElementById(`${kind}/${key}`)?.textContent;
  if (packed == null) return null;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

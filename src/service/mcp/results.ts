import { InputError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';

/** The beginning of the addresses of results. */
const RESULTS = 'alas://results/';

/** Results that are kept, and the characters of them all; the oldest make room. */
const MOST = { results: 1000, characters: 100_000_000 } as const;

/**
 * Plans, instances and reports that are too long for an answer. An agent gets their addresses: it may read
 * them, and hand them back where a tool takes a plan or an instance.
 */
export interface ResultStore {
  /**
   * Keeps a document.
   *
   * @param owner who may read it: the name of a caller
   * @returns its address, the same for the same document
   */
  keep(owner: string, text: string): string;
  /** @throws InputError `no_result` if it is not there, or of somebody else */
  read(owner: string, address: string): string;
}

/** Creates an empty store, in memory: results are made again where they are gone. */
export function createResultStore(
  most: { results: number; characters: number } = MOST,
): ResultStore {
  const texts = new Map<string, string>();
  let characters = 0;
  const forget = (key: string) => {
    characters -= texts.get(key)?.length ?? 0;
    texts.delete(key);
  };
  return {
    keep(owner, text) {
      const key = sha256(`${owner.length}:${owner}${text}`).slice(0, 20);
      forget(key);
      texts.set(key, text);
      characters += text.length;
      for (const oldest of texts.keys()) {
        const isTooMuch = texts.size > most.results || characters > most.characters;
        if (!isTooMuch || oldest === key) break;
        forget(oldest);
      }
      return RESULTS + key;
    },
    read(owner, address) {
      const key = address.slice(RESULTS.length);
      const text = texts.get(key);
      if (text !== undefined && sha256(`${owner.length}:${owner}${text}`).startsWith(key)) {
        return text;
      }
      throw new InputError(
        'no_result',
        `there is no result ${JSON.stringify(key.slice(0, 40))} (any more)`,
        'call the tool that made it again',
      );
    },
  };
}

/** Whether a text is the address of a result. */
export function isResult(text: string): boolean {
  return text.startsWith(RESULTS);
}

import { InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';

/** The prefix of the addresses of results. */
const RESULTS = 'alas://results/';

/** The most stored results, and their most characters in total; the oldest results are removed first. */
const MOST = { results: 1000, characters: 100_000_000 } as const;

/**
 * Plans, instances and reports that are too long for an answer. An agent gets their addresses: it may read them, and
 * pass them to a tool that takes a plan or an instance.
 */
export interface ResultStore {
  /**
   * Stores a document.
   *
   * @param owner the name of the caller that may read it
   * @returns its address, the same for the same document
   */
  keep(owner: string, text: string): string;
  /** @throws InputError `no_result` if the document does not exist, or belongs to another caller */
  read(owner: string, address: string): string;
}

/** Creates an empty store, in memory: lost results can be computed again. */
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
        `there is no result ${JSON.stringify(key.slice(0, 40))} here (any longer)`,
        'call the tool that made it again',
      );
    },
  };
}

/** Whether a text is the address of a result. */
export function isResult(text: string): boolean {
  return text.startsWith(RESULTS);
}

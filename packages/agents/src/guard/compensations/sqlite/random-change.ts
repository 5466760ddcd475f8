import { sha256 } from '@alas-jssp/core/sha256';
import { type DatabaseChange, SEQUENCE } from './database-change.js';
import type { DatabaseImage } from './database-image.js';

/** The change that a statement makes when it is tried. */
export interface ForeseenChange extends DatabaseChange {
  /** For a statement that may do something else the next time: the digest of all that it left alone. */
  readonly others?: string | undefined;
}

/** Whether a statement, or a trigger, view or default value of its database, may use random numbers. */
export function isRandom(texts: readonly string[]): boolean {
  return texts.some((sql) => /\brandom(blob)?["'`\]]?\s*\(/i.test(sql));
}

/** The digest of the objects and rows of a database that are no part of a change. */
export function digestOfOthers(
  { objects, tables }: DatabaseImage,
  { tables: changed, dropped, created }: DatabaseChange,
): string {
  const parts = [dropped, created].flatMap((part) => part.objects.map(({ name }) => name));
  const isOther = ({ name }: { readonly name: string }) =>
    name !== SEQUENCE && !parts.includes(name);
  const rows = [...tables.values()].filter(isOther).map(({ name, rows: all }) => {
    const own = new Set(changed.find((table) => table.name === name)?.rows.map(({ key }) => key));
    return [name, Object.entries(all).filter(([key]) => !own.has(key))];
  });
  return sha256(JSON.stringify([objects.filter(isOther), rows]));
}

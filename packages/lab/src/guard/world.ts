// The states of the servers that the trials of the guard compare.
import { createHash } from 'node:crypto';

/** The servers of the worlds. */
export type ServerName = 'files' | 'memory' | 'git' | 'database';

/** A call that changes the world. */
export interface WorldCall {
  readonly server: ServerName | 'somebody';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The state of the servers. Paths are relative to the root of the files; the repository is in `repo`. */
export interface World {
  readonly files: Map<string, string>;
  readonly directories: Set<string>;
  /** Entities as `name|type`, observations as `name|text`, relations as `from|to|type`. */
  readonly graph: { entities: Set<string>; observations: Set<string>; relations: Set<string> };
  readonly git: Repository;
  /** Texts by the numbers of their rows, by table. */
  readonly tables: Map<string, Map<number, string>>;
}

/** A repository: commits are texts that contain their trees and parents. */
interface Repository {
  /** `refs/heads/…` or a commit. */
  head: string;
  readonly references: Map<string, string>;
  readonly index: Map<string, string>;
}

/** The folder of the repository in the root. */
export const REPOSITORY = 'repo';

/** A copy that can be changed. */
export function copyWorld({ files, directories, graph, git, tables }: World): World {
  return {
    files: new Map(files),
    directories: new Set(directories),
    graph: {
      entities: new Set(graph.entities),
      observations: new Set(graph.observations),
      relations: new Set(graph.relations),
    },
    git: {
      head: git.head,
      references: new Map(git.references),
      index: new Map(git.index),
    },
    tables: new Map(Array.from(tables, ([name, rows]) => [name, new Map(rows)])),
  };
}

/** A text that is equal for equal worlds. */
export function textOfWorld({ files, directories, graph, git, tables }: World): string {
  const sorted = (entries: Iterable<unknown>) =>
    Array.from(entries, (each) => JSON.stringify(each)).sort();
  return JSON.stringify({
    files: sorted(files),
    directories: sorted(directories),
    entities: sorted(graph.entities),
    observations: sorted(graph.observations),
    relations: sorted(graph.relations),
    head: git.head,
    references: sorted(git.references),
    index: sorted(git.index),
    tables: sorted(Array.from(tables, ([name, rows]) => [name, sorted(rows)])),
  });
}

/** A commit as a text: equal for equal trees, messages and histories. */
export function commitOf(
  tree: ReadonlyMap<string, string>,
  message: string,
  parent: string | undefined,
): string {
  const files = Array.from(tree, ([path, content]) => [path, blobOf(content)]).sort();
  const parts = JSON.stringify([files, message.trim(), parent ?? '']);
  return createHash('sha256').update(parts).digest('hex');
}

/** The id of a file's contents in Git. */
function blobOf(content: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
}

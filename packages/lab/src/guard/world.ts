// The states of the three servers that the trials of the guard compare.
import { createHash } from 'node:crypto';

/** A call that changes the world. */
export interface WorldCall {
  readonly server: 'files' | 'memory' | 'git' | 'somebody';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The state of the three servers. Paths are relative to the root of the files; the repository is in `repo`. */
export interface World {
  readonly files: Map<string, string>;
  readonly directories: Set<string>;
  /** Entities as `name|type`, observations as `name|text`, relations as `from|to|type`. */
  readonly graph: { entities: Set<string>; observations: Set<string>; relations: Set<string> };
  readonly git: Repository;
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
export function copyWorld({ files, directories, graph, git }: World): World {
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
  };
}

/** A text that is equal for equal worlds. */
export function textOfWorld({ files, directories, graph, git }: World): string {
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

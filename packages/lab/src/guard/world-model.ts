// What three servers should do, from their documentation alone: the oracle of the trials of the guard. It shares no code with
// the compensations that it judges.
import { createHash } from 'node:crypto';
import { changeGraph } from './graph-model.js';
import { changeRepository } from './repository-model.js';

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
export interface Repository {
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

/** The world after a call; the same world if the server must refuse it. */
export function applyCall(world: World, call: WorldCall): World {
  const next = copyWorld(world);
  const isDone =
    call.server === 'memory'
      ? changeGraph(next.graph, call)
      : call.server === 'git'
        ? changeRepository(next, call)
        : changeFiles(next, call);
  return isDone ? next : world;
}

/** Changes files in place; false if the call is refused. */
function changeFiles(world: World, { tool, input }: WorldCall): boolean {
  const { files, directories } = world;
  const path = String(input.path);
  const isThere = (each: string) => files.has(each) || directories.has(each);
  const hasPlace = (each: string) => !each.includes('/') || directories.has(parentOf(each));
  switch (tool) {
    case 'write_file':
      if (directories.has(path) || !hasPlace(path)) return false;
      files.set(path, String(input.content));
      return true;
    case 'edit_file': {
      const text = files.get(path);
      const [{ oldText, newText }] = input.edits as [{ oldText: string; newText: string }];
      if (text === undefined || !text.includes(oldText)) return false;
      files.set(
        path,
        text.replace(oldText, () => newText),
      );
      return true;
    }
    case 'create_directory': {
      const parts = path.split('/');
      const all = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
      if (all.some((each) => files.has(each))) return false;
      for (const each of all) directories.add(each);
      return true;
    }
    case 'move_file': {
      const [from, to] = [String(input.source), String(input.destination)];
      if (!isThere(from) || isThere(to) || !hasPlace(to) || `${to}/`.startsWith(`${from}/`)) {
        return false;
      }
      move(world, from, to);
      return true;
    }
  }
  throw new Error(`the model does not know ${tool}`);
}

function move({ files, directories }: World, from: string, to: string): void {
  const renamed = (each: string) =>
    each === from || each.startsWith(`${from}/`) ? to + each.slice(from.length) : each;
  for (const [path, content] of [...files]) {
    files.delete(path);
    files.set(renamed(path), content);
  }
  for (const path of [...directories]) {
    directories.delete(path);
    directories.add(renamed(path));
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
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
export function blobOf(content: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
}

// What the servers should do, from their documentation alone: the oracle of the trials of the guard. It shares no code with
// the compensations that it judges.
import { changeTables } from './database-model.js';
import { changeGraph } from './graph-model.js';
import { changeRepository } from './repository-model.js';
import { copyWorld, type World, type WorldCall } from './world.js';

/** The world after a call; the same world if the server must refuse it. */
export function applyCall(world: World, call: WorldCall): World {
  const next = copyWorld(world);
  return change(next, call) ? next : world;
}

function change(world: World, call: WorldCall): boolean {
  switch (call.server) {
    case 'memory':
      return changeGraph(world.graph, call);
    case 'git':
      return changeRepository(world, call);
    case 'database':
      return changeTables(world.tables, call);
  }
  return changeFiles(world, call);
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

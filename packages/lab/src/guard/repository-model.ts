import { commitOf, REPOSITORY, type World, type WorldCall } from './world.js';

/** The trees of commits by their texts: commits never change. */
const trees = new Map<string, ReadonlyMap<string, string>>();

/** Notes the tree of a commit that exists before the first call. */
export function noteCommit(commit: string, tree: ReadonlyMap<string, string>): void {
  trees.set(commit, tree);
}

const at = (name: string) => `${REPOSITORY}/${name}`;

/** Changes the repository as Git says; false if the call is refused. Its files are those of the world. */
export function changeRepository(world: World, { tool, input }: WorldCall): boolean {
  const { git, files } = world;
  const { references, index } = git;
  const commitAt = (name: string) => references.get(name) ?? (trees.has(name) ? name : undefined);
  const current = commitAt(git.head);
  const tree = new Map(current === undefined ? [] : trees.get(current));
  switch (tool) {
    case 'git_add':
      return add(world, input.files as string[]);
    case 'git_commit': {
      if (isSame(tree, index)) return false;
      const commit = commitOf(index, String(input.message), current);
      noteCommit(commit, new Map(index));
      if (references.has(git.head)) references.set(git.head, commit);
      else git.head = commit;
      return true;
    }
    case 'git_reset':
      index.clear();
      for (const [path, content] of tree) index.set(path, content);
      return true;
    case 'git_create_branch': {
      const name = `refs/heads/${input.branch_name}`;
      const base =
        input.base_branch === undefined ? current : commitAt(`refs/heads/${input.base_branch}`);
      if (references.has(name) || base === undefined) return false;
      references.set(name, base);
      return true;
    }
    case 'git_checkout': {
      const name = `refs/heads/${input.branch_name}`;
      const target = trees.get(references.get(name) ?? '');
      if (target === undefined) return false;
      for (const path of new Set([...tree.keys(), ...target.keys()])) {
        const [old, wanted, staged] = [tree.get(path), target.get(path), index.get(path)];
        if (old === wanted || staged === wanted) continue;
        // Git keeps what was changed, and refuses to overwrite it. A file that was deleted is written again.
        const work = files.get(at(path));
        if (staged !== old || (work !== undefined && work !== staged)) return false;
      }
      for (const path of new Set([...tree.keys(), ...target.keys()])) {
        const wanted = target.get(path);
        if (tree.get(path) === wanted || index.get(path) === wanted) continue;
        put(index, path, wanted);
        put(files, at(path), wanted);
      }
      git.head = name;
      return true;
    }
  }
  throw new Error(`the model does not know ${tool}`);
}

function add({ git: { index }, files }: World, names: readonly string[]): boolean {
  const all = [...files.keys()].filter((path) => path.startsWith(at('')));
  const work = new Set(all.map((path) => path.slice(at('').length)));
  const wanted = names.includes('.') ? [...new Set([...work, ...index.keys()])] : names;
  if (wanted.some((name) => !work.has(name) && !index.has(name))) return false;
  for (const name of wanted) put(index, name, files.get(at(name)));
  return true;
}

function put(map: Map<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

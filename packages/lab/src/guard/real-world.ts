// The real state of the servers, read from the disk.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'libsql';
import { noteCommit } from './repository-model.js';
import { commitOf, REPOSITORY, type World } from './world.js';

/** The places of a world on the disk. */
export interface WorldPlaces {
  readonly directory: string;
  readonly root: string;
  readonly repository: string;
  readonly graph: string;
  readonly database: string;
}

export function placesIn(directory: string): WorldPlaces {
  const root = join(directory, 'root');
  return {
    directory,
    root,
    repository: join(root, REPOSITORY),
    graph: join(directory, 'graph.jsonl'),
    database: join(directory, 'data.db'),
  };
}

function git(repository: string, ...args: string[]): string {
  const config = ['-c', 'user.name=Trial', '-c', 'user.email=trial@localhost'];
  return execFileSync('git', [...config, ...args], { cwd: repository, encoding: 'utf8' });
}

/** Makes the world in which the sessions of one directory begin. */
export function makeWorld({ root, repository, graph, database }: WorldPlaces): void {
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(root, 'docs/a.txt'), 'alpha beta gamma\n');
  mkdirSync(repository);
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'config', 'user.name', 'Trial');
  git(repository, 'config', 'user.email', 'trial@localhost');
  // Nothing may change the repository on its own.
  git(repository, 'config', 'gc.auto', '0');
  writeFileSync(join(repository, 'one.txt'), 'one beta\n');
  writeFileSync(join(repository, 'two.txt'), 'two beta\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'first');
  git(repository, 'branch', 'side');
  const entity = { type: 'entity', name: 'E0', entityType: 'thing', observations: ['seen'] };
  writeFileSync(graph, JSON.stringify(entity));
  const connection = new Database(database);
  connection.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  connection.exec("INSERT INTO notes VALUES (1, 'seen'), (2, 'heard')");
  connection.close();
}

/** Reads the world. A lock or a draft that a server left shows as a file. */
export function readWorld(places: WorldPlaces): World {
  const files = new Map<string, string>();
  const directories = new Set<string>();
  readFiles(places.root, places.root, files, directories);
  for (const name of readdirSync(join(places.repository, '.git'))) {
    if (name.endsWith('.lock')) files.set(`.git/${name}`, '');
  }
  return {
    files,
    directories,
    graph: readGraph(places.graph),
    git: readRepository(places),
    tables: readTables(places.database),
  };
}

function readTables(file: string): World['tables'] {
  const connection = new Database(file);
  const rowsOf = (sql: string) => connection.prepare(sql).raw().all() as unknown[][];
  const names = rowsOf("SELECT name FROM sqlite_master WHERE type = 'table'").map(String);
  const tables = names.map((name) => {
    const rows = rowsOf(`SELECT id, text FROM ${name}`);
    return [name, new Map(rows.map(([id, text]) => [Number(id), String(text)]))] as const;
  });
  connection.close();
  return new Map(tables);
}

function readFiles(
  root: string,
  directory: string,
  files: Map<string, string>,
  directories: Set<string>,
): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const key = relative(root, path);
    if (key === `${REPOSITORY}/.git`) continue;
    if (lstatSync(path).isDirectory()) {
      directories.add(key);
      readFiles(root, path, files, directories);
    } else files.set(key, readFileSync(path, 'utf8'));
  }
}

function readGraph(file: string): World['graph'] {
  const graph = {
    entities: new Set<string>(),
    observations: new Set<string>(),
    relations: new Set<string>(),
  };
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { type, name, entityType, observations, from, to, relationType } = JSON.parse(line);
    if (type === 'entity') {
      graph.entities.add(`${name}|${entityType}`);
      for (const text of observations) graph.observations.add(`${name}|${text}`);
    } else graph.relations.add(`${from}|${to}|${relationType}`);
  }
  return graph;
}

/** Commits that were read, by their ids: commits never change. */
const commits = new Map<string, string>();

function readRepository({ repository }: WorldPlaces): World['git'] {
  const references = new Map<string, string>();
  for (const line of git(repository, 'show-ref').split('\n').filter(Boolean)) {
    const [id, name] = line.split(' ');
    references.set(name, readCommit(repository, id));
  }
  const head = readFileSync(join(repository, '.git/HEAD'), 'utf8').trim();
  const index = readTree(repository, 'ls-files', '--stage');
  const isBranch = head.startsWith('ref: ');
  return { head: isBranch ? head.slice(5) : readCommit(repository, head), references, index };
}

function readCommit(repository: string, id: string): string {
  const known = commits.get(id);
  if (known !== undefined) return known;
  const [parents, message] = git(repository, 'log', '-1', '--format=%P%x00%B', id).split('\0');
  const [parent] = parents.split(' ').filter(Boolean);
  const tree = readTree(repository, 'ls-tree', '-r', id);
  const before = parent === undefined ? undefined : readCommit(repository, parent);
  const commit = commitOf(tree, message, before);
  commits.set(id, commit);
  noteCommit(commit, tree);
  return commit;
}

const contents = new Map<string, string>();

/** Files of a tree or of the index, by path: lines of mode, id, and more before a tab and the path. */
function readTree(repository: string, ...args: string[]): Map<string, string> {
  const tree = new Map<string, string>();
  for (const line of git(repository, ...args)
    .split('\n')
    .filter(Boolean)) {
    const [facts, path] = line.split('\t');
    const [id] = facts.match(/[0-9a-f]{40}/) ?? [''];
    const content = contents.get(id) ?? git(repository, 'cat-file', 'blob', id);
    contents.set(id, content);
    tree.set(path, content);
  }
  return tree;
}

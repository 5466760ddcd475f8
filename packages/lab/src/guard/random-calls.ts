import { join } from 'node:path';
import type { Random } from '@alas-jssp/core/random';
import { sqlOf } from './database-model.js';
import type { WorldPlaces } from './real-world.js';
import type { ServerName, WorldCall } from './world.js';

const PATHS = [
  'docs/a.txt',
  'docs/b.txt',
  'docs/new',
  'docs/new/c.txt',
  'repo/one.txt',
  'repo/three.txt',
];
const NAMES = ['E0', 'E1', 'E2', 'E3'];
const TEXTS = ['seen', 'heard', 'beta'];
const BRANCHES = ['main', 'side', 'topic', 'other'];

const TABLES = ['notes', 'notes', 'marks'];
/** How often a server is called: the graph has the simplest compensation. */
const WEIGHTS: Record<ServerName, number> = { files: 2, memory: 1, git: 2, database: 2 };
const CALLS: Record<ServerName, (random: Random) => WorldCall> = {
  files: randomFileCall,
  memory: randomGraphCall,
  git: randomGitCall,
  database: randomStatement,
};

/** A random call of one of the servers, with paths relative to the root. */
export function randomCall(random: Random, servers: readonly ServerName[]): WorldCall {
  const weighted = servers.flatMap((each) => Array.from({ length: WEIGHTS[each] }, () => each));
  return CALLS[pick(random, weighted)](random);
}

/** Something that somebody else does beside the guard: a file is written. */
export function foreignCall(random: Random): WorldCall {
  const { input } = write(random);
  return { server: 'somebody', tool: 'write_file', input };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(0, list.length - 1)];
}

function write(random: Random): WorldCall {
  const content = `${pick(random, TEXTS)} ${random.integer(0, 1e6)}\n`;
  return { server: 'files', tool: 'write_file', input: { path: pick(random, PATHS), content } };
}

function randomFileCall(random: Random): WorldCall {
  const server = 'files';
  switch (random.integer(0, 4)) {
    case 0:
      return {
        server,
        tool: 'create_directory',
        input: { path: pick(random, ['docs/new', 'docs/x/y']) },
      };
    case 1: {
      const input = { source: pick(random, PATHS), destination: pick(random, PATHS) };
      return { server, tool: 'move_file', input };
    }
    case 2: {
      const edits = [{ oldText: pick(random, TEXTS), newText: `edited ${random.integer(0, 1e6)}` }];
      return { server, tool: 'edit_file', input: { path: pick(random, PATHS), edits } };
    }
  }
  return write(random);
}

function randomGraphCall(random: Random): WorldCall {
  const server = 'memory';
  const name = () => pick(random, NAMES);
  const relation = () => ({
    from: name(),
    to: name(),
    relationType: pick(random, ['near', 'far']),
  });
  const entityName = name();
  switch (random.integer(0, 6)) {
    case 0:
      return { server, tool: 'create_relations', input: { relations: [relation()] } };
    case 1: {
      const observations = [{ entityName, contents: [pick(random, TEXTS)] }];
      return { server, tool: 'add_observations', input: { observations } };
    }
    case 2:
      return { server, tool: 'delete_entities', input: { entityNames: [entityName] } };
    case 3: {
      const deletions = [{ entityName, observations: [pick(random, TEXTS)] }];
      return { server, tool: 'delete_observations', input: { deletions } };
    }
    case 4:
      return { server, tool: 'delete_relations', input: { relations: [relation()] } };
  }
  const entity = { name: entityName, entityType: 'thing', observations: [pick(random, TEXTS)] };
  return { server, tool: 'create_entities', input: { entities: [entity] } };
}

function randomGitCall(random: Random): WorldCall {
  const server = 'git';
  switch (random.integer(0, 6)) {
    case 0:
    case 1: {
      const files = pick(random, [['.'], ['one.txt'], ['three.txt'], ['two.txt', 'one.txt']]);
      return { server, tool: 'git_add', input: { files } };
    }
    case 2:
    case 3:
      return { server, tool: 'git_commit', input: { message: `commit ${random.integer(0, 1e6)}` } };
    case 4:
      return { server, tool: 'git_reset', input: {} };
    case 5: {
      const base = random.next() < 0.5 ? { base_branch: pick(random, BRANCHES) } : {};
      const input = { branch_name: pick(random, BRANCHES), ...base };
      return { server, tool: 'git_create_branch', input };
    }
  }
  return { server, tool: 'git_checkout', input: { branch_name: pick(random, BRANCHES) } };
}

function randomStatement(random: Random): WorldCall {
  const statements = ['insert', 'insert', 'insert', 'append', 'append', 'delete', 'create', 'drop'];
  const statement = pick(random, statements);
  const row = random.integer(1, 6);
  const input = { statement, table: pick(random, TABLES), row, text: pick(random, TEXTS) };
  return {
    server: 'database',
    tool: statement === 'create' ? 'create_table' : 'write_query',
    input,
  };
}

/** The input of a call as the server wants it: with absolute paths. */
export function inputFor(call: WorldCall, places: WorldPlaces): Record<string, unknown> {
  const { server, input } = call;
  if (server === 'database') return { query: sqlOf(call) };
  if (server === 'git') return { repo_path: places.repository, ...input };
  const found: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) {
    const isPath = key === 'path' || key === 'source' || key === 'destination';
    found[key] = isPath ? join(places.root, String(value)) : value;
  }
  return found;
}

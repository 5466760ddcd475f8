// The tools of teams that write files: `write_str_to_txt` creates a text file in one directory (TEAM_FILES; default: the
// current one), and `remove_txt` removes it again. Existing files that no run has written are never touched. A journal
// in the directory, .team-files.json, keeps the answers by idempotency key and the files that runs have written.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

const JOURNAL = '.team-files.json';

/** The tools over the files of a directory. */
export function createTools() {
  const directory = resolve(process.env.TEAM_FILES ?? '.');
  const journal = join(directory, JOURNAL);
  return toolsOver({
    load: () =>
      existsSync(journal) ? JSON.parse(readFileSync(journal, 'utf8')) : { answers: {}, files: {} },
    save(state) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(`${journal}.new`, `${JSON.stringify(state, null, 2)}\n`);
      renameSync(`${journal}.new`, journal);
    },
    exists: (name) => existsSync(join(directory, name)),
    write(name, text) {
      const file = join(directory, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    },
    remove: (name) => rmSync(join(directory, name), { force: true }),
  });
}

/** The tools over files in memory, for trials. */
export function createTrial() {
  const texts = new Map();
  let state = { answers: {}, files: {} };
  const tools = toolsOver({
    load: () => structuredClone(state),
    save: (changed) => {
      state = changed;
    },
    exists: (name) => texts.has(name),
    write: (name, text) => texts.set(name, text),
    remove: (name) => texts.delete(name),
  });
  return { tools, snapshot: () => ({ file: Object.fromEntries([...texts].sort()) }) };
}

function toolsOver({ load, save, exists, write, remove }) {
  return {
    write_str_to_txt({ string_data, txt_filename }, { idempotencyKey }) {
      const name = plainName(txt_filename);
      const state = load();
      const known = state.answers[idempotencyKey];
      // The journal is written first: a file that it names, and that is missing, was not completed.
      if (known !== undefined && exists(name)) return known;
      if (known === undefined) {
        if (exists(name) || Object.hasOwn(state.files, name)) {
          fail('AlreadyExists', `there is a file ${name} already; remove or rename it`);
        }
        state.answers[idempotencyKey] = { file: name };
        state.files[name] = idempotencyKey;
        save(state);
      }
      // An undo has removed the file in between: a late attempt must not write it again.
      if (state.files[name] === idempotencyKey) write(name, string_data);
      return { file: name };
    },
    remove_txt({ file }) {
      const name = plainName(file);
      const state = load();
      if (!Object.hasOwn(state.files, name)) return {};
      remove(name);
      delete state.files[name];
      save(state);
      return {};
    },
  };
}

/** The name of a file inside of the directory. */
function plainName(given) {
  const name = relative('.', given).replaceAll('\\', '/');
  const isInside = name !== '' && !isAbsolute(given) && !name.split('/').includes('..');
  if (isInside && !name.split('/').some((part) => part.startsWith('.'))) return name;
  return fail('BadFileName', `${JSON.stringify(given)} is no file in the directory of the team`);
}

function fail(code, message) {
  throw Object.assign(new Error(message), { code });
}

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';

/** A task in words. */
export interface TaskFile {
  /** Its file without directory and ending, as a name for the workflow. */
  readonly name: string;
  readonly text: string;
  /** The file of the tools that its front matter names, from the working directory; null if it names none. */
  readonly tools: string | null;
}

/** Characters of a task: prompts hold it as a whole. */
const LONGEST_TASK = 50_000;

/**
 * Reads a task: a text, perhaps with front matter that names its tools, `tools: refund.tools.json`, in the folder of the
 * task or below it.
 *
 * @throws InputError `no_file`, `bad_task` with the line
 */
export function readTask(file: string): TaskFile {
  const whole = new TextDecoder('utf-8', { fatal: true });
  let content: string;
  try {
    content = whole.decode(readBytes(file)).replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw bad('this is no text in UTF-8', 'save it as UTF-8', file);
  }
  const { settings, text } = splitFrontMatter(content, file);
  if (text.trim() === '') throw bad('it has no text', 'describe the process in words', file);
  if (text.length > LONGEST_TASK) {
    throw bad(
      `it has ${text.length} characters`,
      `describe one process in at most ${LONGEST_TASK}`,
      file,
    );
  }
  return { name: nameOfFile(file), text: `${text.trim()}\n`, tools: toolsOf(settings, file) };
}

interface Setting {
  readonly value: string;
  readonly line: number;
}

function splitFrontMatter(
  content: string,
  file: string,
): { settings: ReadonlyMap<string, Setting>; text: string } {
  const settings = new Map<string, Setting>();
  if (!/^---[ \t]*\n/.test(content)) return { settings, text: content };
  const lines = content.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
  if (end < 0) throw bad('its front matter does not end', 'end it with a line ---', file, 1);
  for (const [index, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const at = index + 2;
    const [, key, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== 'tools') {
      const found = key === undefined ? 'this is no setting' : `the setting ${key} is unknown`;
      throw bad(found, 'write tools: FILE.json', file, at);
    }
    settings.set(key, { value: value.replace(/^(["'])(.*)\1$/, '$2'), line: at });
  }
  return { settings, text: lines.slice(end + 1).join('\n') };
}

/** The file of the tools. A task that somebody else wrote must not read files from elsewhere. */
function toolsOf(settings: ReadonlyMap<string, Setting>, file: string): string | null {
  const setting = settings.get('tools');
  if (setting === undefined) return null;
  const { value, line } = setting;
  const folder = dirname(file);
  const inside = relative(resolve(folder), resolve(folder, value));
  if (value === '' || isAbsolute(value) || inside.startsWith('..') || value.includes(':')) {
    throw bad(
      `the tools ${JSON.stringify(value)} are not in the folder of the task`,
      'name a file in that folder or below it, or give --tools',
      file,
      line,
    );
  }
  const path = join(folder, value);
  if (existsSync(path) && leavesFolder(realpathSync(folder), realpathSync(path))) {
    throw bad(
      `the tools ${JSON.stringify(value)} are a link out of the folder of the task`,
      'copy the file into that folder, or give --tools',
      file,
      line,
    );
  }
  return path;
}

function leavesFolder(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

/** The name of a file as a name of a workflow. */
function nameOfFile(file: string): string {
  const name = basename(file)
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return /^[A-Za-z]/.test(name) ? name : `task-${name}`;
}

function bad(problem: string, hint: string, file: string, line?: number): InputError {
  return new InputError('bad_task', problem, hint, { file, line });
}

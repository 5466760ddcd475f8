import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The linter: what it is, and that nothing of Argo is changed. */
export const info = { name: 'argo', version: '3.6.5', patches: [] };

/** The place where the linter is installed (`install.sh`), if it is. */
export function find() {
  const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
  const place = join(home, 'argo-3.6.5');
  const installed = join(place, 'installed.txt');
  if (!existsSync(installed)) return undefined;
  const sources = ['go.mod', 'go.sum', 'main.go'].map((file) =>
    readFileSync(join(here, file), 'utf8'),
  );
  return readFileSync(installed, 'utf8') === sources.join('') ? place : undefined;
}

/**
 * Lints documents by Argo's own linter, strict and offline. Nothing is executed.
 *
 * @param {readonly string[]} texts documents in YAML
 * @returns {{ errors: string[] }[]} the errors of each; none if Argo accepts it
 */
export function lintAll(texts) {
  if (texts.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'argolint-'));
  try {
    const files = texts.map((text, k) => {
      const file = join(folder, `${k}.yaml`);
      writeFileSync(file, text);
      return file;
    });
    const verdicts = ask(files, '');
    return verdicts.map(({ errors }) => ({ errors }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Lints a document by Argo's own linter, strict and offline. Nothing is executed.
 *
 * @param {string} text a document in YAML
 * @returns {{ errors: string[] }} none if Argo accepts it
 */
export function lint(text) {
  return lintAll([text])[0];
}

/**
 * Evaluates expressions with the library and the functions with which Argo does.
 *
 * @param {readonly { expression: string, env: Record<string, string> }[]} questions
 * @returns {{ value: unknown, error?: string }[]}
 */
export function evaluateAll(questions) {
  return ask(['--evaluate'], JSON.stringify(questions));
}

function ask(words, input) {
  const place = find();
  if (place === undefined)
    throw new Error('the linter of Argo is not installed; run engines/argo/install.sh');
  const { status, stdout, stderr, error } = spawnSync(join(place, 'argolint'), words, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`the linter of Argo ended with ${status}: ${stderr.trim()}`);
  return JSON.parse(stdout);
}

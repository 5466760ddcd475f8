// What is installed: versions, optional packages, keys of models, browsers and other people's engines.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { printableLine } from '@alas-jssp/core/errors';
import { packageVersion } from '@alas-jssp/core/package-version';
import { type Environment, keyNames, readEnvironment } from '../../llm/keys.js';
import { broken, type Check, fine, missing, runCheck } from './check.js';

/** The packages that the command line loads if they are there, and what each is for. */
const OPTIONAL_PACKAGES = {
  '@alas-jssp/service': 'serve and mcp',
  '@alas-jssp/agents': 'guard, and workflows with models and tools',
  '@alas-jssp/blueprint': 'workflow draft',
  '@alas-jssp/convert': 'workflow convert',
  '@alas-jssp/changeset': 'file edits as one step of a workflow',
  '@alas-jssp/coordination': 'rides, dinners, weddings and trips',
  '@alas-jssp/temporal': 'runs on several machines',
  openai: 'models of OpenAI, and of servers compatible with it',
  '@anthropic-ai/sdk': 'models of Anthropic',
} as const;

/** The oldest Node that all packages support, as package.json says under `engines`. */
const OLDEST_NODE = [20, 19] as const;

/** The version of this package, of Node, and the platform. */
export function checkVersions(): Check[] {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const node = `${process.versions.node}, ${process.platform} ${process.arch}`;
  return [
    fine('alas-jssp', packageVersion()),
    isOld
      ? broken('node', node, `install Node ${OLDEST_NODE.join('.')} or later`)
      : fine('node', node),
  ];
}

/** The optional packages. One of this project must have the version of the command line. */
export async function checkPackages(
  find: (name: string) => string | undefined = findPackage,
): Promise<Check[]> {
  const own = packageVersion();
  const checkPackage = (name: string, use: string): Check => {
    const file = find(name);
    const version = file === undefined ? undefined : versionIn(file);
    if (version === undefined) {
      return missing(name, `not installed; for ${use}`, `npm install ${name}`);
    }
    const isOurs = name.startsWith('@alas-jssp/');
    if (!isOurs || version === own) return fine(name, version);
    return broken(name, `${version} beside alas-jssp ${own}`, `npm install ${name}@${own}`);
  };
  const listed = Object.entries(OPTIONAL_PACKAGES);
  return Promise.all(
    listed.map(([name, use]) =>
      runCheck(name, `install it again: npm install ${name}`, () => checkPackage(name, use)),
    ),
  );
}

/** The package.json of a package as this one would load it; a package need not export that file. */
function findPackage(name: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name, 'package.json')).find(existsSync);
}

function versionIn(file: string): string {
  const { version } = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as { version?: unknown };
  return typeof version === 'string' ? printableLine(version) : 'of no version';
}

/** Which keys of models are set, in the environment or in `.env`. Their values are never read out. */
export function checkKeys(environment: Environment): Check {
  const set = readEnvironment(environment);
  const names = keyNames.filter((name) => set[name]?.trim());
  return names.length > 0
    ? fine('keys of models', names.join(', '))
    : missing('keys of models', 'none set', `only models need one: set ${keyNames[0]} or another`);
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome.exe'] as const;

/** Where browsers are installed without being on the path. */
const BROWSER_FILES = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
] as const;

/** A Chromium, which the tests of pages use. Readers of pages need no special one. */
export function checkBrowser(environment: Environment): Check {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [
    ...(environment.CHROMIUM ? [environment.CHROMIUM] : []),
    ...folders.flatMap((folder) => BROWSERS.map((name) => join(folder, name))),
    ...BROWSER_FILES,
  ];
  const file = places.find(existsSync);
  return file === undefined
    ? missing('browser', 'no Chromium found', 'only tests of pages need one: install Chromium')
    : fine('browser', file);
}

/** Engines of other people that `engines/NAME/install.sh` installed, such as Temporal's server. */
export function checkEngines(environment: Environment): Check {
  const folder = environment.ALAS_JSSP_ENGINES || join(homedir(), '.cache', 'alas-jssp', 'engines');
  const names = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  const temporal = names.find(({ name }) => name.startsWith('temporal'))?.name;
  const rest = temporal === undefined ? 'without Temporal' : `with ${temporal}`;
  return names.length > 0
    ? fine('engines', `${names.length} in ${folder}, ${rest}`)
    : missing('engines', 'none installed', 'for comparisons in a clone: engines/NAME/install.sh');
}

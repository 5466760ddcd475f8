import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InputError } from '../../core/errors.js';
import type { Executor } from '../../harness/run/executor.js';
import type { Json, LogEntry, NewRunOptions, RunResult, Workflow } from '../../workflow/index.js';

/** The package that runs things on a Temporal server, as far as the command line uses it. */
interface TemporalPackage {
  /** @throws InputError `bad_address` */
  createTemporalExecutor(address: string): Executor;
  /** @throws InputError `bad_address`; AlasError `no_server`, `run_exists`, and what refuses a workflow */
  runWorkflowAt(
    address: string,
    workflow: Workflow,
    input: Json,
    options: TemporalRun,
  ): Promise<{ readonly result: RunResult; readonly entries: readonly LogEntry[] }>;
  /** @throws InputError `bad_address`; AlasError `no_server`, `no_run`, and what refuses a message */
  postMessageAt(
    address: string,
    runId: string,
    message: { readonly kind: string; readonly data: Json },
  ): Promise<number>;
}

/** Settings of a run of a workflow there. */
type TemporalRun = Pick<NewRunOptions, 'runId' | 'seed' | 'signal' | 'inject' | 'approvals'> & {
  /** Told, in a line, what is missing while one waits. */
  readonly onNotice: (line: string) => void;
};

/** The form of an address, for help and errors. */
export const ADDRESS_FORM = 'temporal://HOST:PORT/NAMESPACE?queue=NAME';

const NAME = '@alas-jssp/temporal';

/** Where the package lies in a clone of this repository. */
const CLONE = fileURLToPath(new URL('../../../engines/temporal/', import.meta.url));

/**
 * Loads the package for Temporal by its name or, in a clone, from where it lies. It is loaded for those alone
 * who use it, as it is large.
 *
 * @param address it is loaded for
 * @param clone the directory of the package in a clone, with a slash at its end
 * @throws InputError `bad_address` for what is no address of a Temporal server; `no_temporal` where the package
 *   is not installed, with the way to install it
 */
export async function loadTemporal(address: string, clone = CLONE): Promise<TemporalPackage> {
  if (!address.startsWith('temporal:')) {
    const problem = `'${address}' is no address of a Temporal server`;
    throw new InputError('bad_address', problem, `write ${ADDRESS_FORM}`, {}, address);
  }
  const isClone = existsSync(`${clone}package.json`);
  const found = (await load(NAME)) ?? (isClone ? await load(entryOf(clone)) : undefined);
  if (found !== undefined) return found;
  const hint = isClone ? `run ${clone}install.sh` : `npm install ${NAME}`;
  throw new InputError('no_temporal', `${address} takes ${NAME}, which is not installed`, hint);
}

function entryOf(clone: string): string {
  return pathToFileURL(`${clone}dist/index.js`).href;
}

/** A module; undefined where it, or one that it imports, is not installed. */
async function load(specifier: string): Promise<TemporalPackage | undefined> {
  try {
    return await import(specifier);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

import type { LogStore, Registry, Workflow } from '@alas-jssp/workflow';
import { loadPackage } from '../common/load-package.js';

/** The exports of the package for coordination problems that logs need. */
interface CoordinationPackage {
  readonly createReplayRegistry: (log: LogStore) => Registry;
}

/** The package is built after this one, so its types are not known here. */
const COORDINATION: string = '@alas-jssp/coordination';

/** Whether a workflow executes a plan of a coordination problem. */
export function isCoordination({ meta }: Pick<Workflow, 'meta'>): boolean {
  return meta !== undefined && Object.hasOwn(meta, 'coordination');
}

/**
 * The handlers of executions of coordination problems, without models.
 *
 * @throws InputError `missing_package`
 */
export async function loadCoordinationRegistry(log: LogStore): Promise<Registry> {
  const load = () => import(COORDINATION);
  const { createReplayRegistry } = await loadPackage<CoordinationPackage>(COORDINATION, load);
  return createReplayRegistry(log);
}

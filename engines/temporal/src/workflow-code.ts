import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';
import { isEncrypting } from './connection.js';
import { tracingPlugin } from './telemetry/tracing.js';

const inDist = (file: string) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/**
 * The code of the workflows as they were bundled when this package was built. Where spans are wanted it is bundled
 * anew, with what makes them, which takes some seconds.
 *
 * @param isTraced whether spans may be wanted
 */
export async function workflowCode(
  isTraced = true,
): Promise<Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'plugins'>> {
  const plugin = isTraced ? await tracingPlugin() : undefined;
  if (plugin !== undefined) return { workflowsPath: inDist('workflows.js'), plugins: [plugin] };
  const code = readFileSync(inDist('workflow-bundle.js'), 'utf8');
  return { workflowBundle: { code: inEnvironment(code) } };
}

/** Tells bundled code what it must know of the environment, of which the sandbox knows nothing. */
export function inEnvironment(code: string): string {
  return `var __alasEncrypted=${isEncrypting()};${code}`;
}

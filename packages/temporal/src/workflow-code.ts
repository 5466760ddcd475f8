import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';
import { isEncrypting } from './connection.js';
import { tracingPlugin } from './telemetry/tracing.js';

const inDist = (file: string) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/**
 * The code of the workflows as bundled by the build of this package. If spans are wanted, it is
 * bundled again with the tracing code, which takes some seconds.
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

/**
 * Passes environment settings to bundled code, since the sandbox has no access to the environment.
 */
export function inEnvironment(code: string): string {
  return `var __alasEncrypted=${isEncrypting()};${code}`;
}

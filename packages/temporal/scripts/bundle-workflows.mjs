// Bundles the workflows once, when the package is built, so that workers start in a moment.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const at = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
const quiet = {
  trace() {},
  debug() {},
  info() {},
  log() {},
  warn: console.warn,
  error: console.error,
};
const { code } = await bundleWorkflowCode({
  workflowsPath: at('workflows.js'),
  failureConverterPath: at('codec/failures.js'),
  logger: quiet,
});
writeFileSync(at('workflow-bundle.js'), code);

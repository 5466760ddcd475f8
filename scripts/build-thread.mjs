// Bundles what the threads of runs load. What planners of the user's import is the package itself.
import { bundleThreads } from './bundle-threads.mjs';

await bundleThreads({
  folder: 'dist/thread',
  entries: { worker: 'dist/harness/worker/worker.js' },
});

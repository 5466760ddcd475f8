// Bundles the service from its compiled sources and those of the root (`npm run build` there): its commands, its
// threads, and the foreman's page.
import { bundlePage } from '../../scripts/bundle-page.mjs';
import { bundleThreads } from '../../scripts/bundle-threads.mjs';

const dist = 'packages/service/dist';

await bundleThreads({
  folder: `${dist}/thread`,
  entries: {
    commands: `${dist}/index.js`,
    compute: `${dist}/compute/thread.js`,
    shops: `${dist}/shops/shop-thread.js`,
  },
  // The program compares what it throws and prints with its own.
  external: ['alas-jssp/command-line'],
});
await bundlePage({ source: 'packages/service/src/page/browser', target: `${dist}/page` });

// Bundles the page of results.
import { bundlePage } from './bundle-page.mjs';

await bundlePage({
  source: 'src/report/page/browser',
  target: 'dist/report/page',
  others: ['still'],
});

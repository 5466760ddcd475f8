// All code that runs inside of Temporal's sandbox: the bundle of every worker.
export { alasBlob } from './blobs/blob-workflow.js';
export { alasLedger } from './models/ledger-workflow.js';
export { alasRun } from './run/alas-run.js';
export { alasClaim } from './run/claim-workflow.js';
export { alasShop } from './shop/shop-workflow.js';
export { alasSlice, alasSuite } from './suite/suite-workflow.js';

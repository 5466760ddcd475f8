// All that runs inside of Temporal's sandbox: the bundle of every worker.
export { alasBlob } from './blobs/blob-workflow.js';

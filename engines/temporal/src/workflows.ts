// All that runs inside of Temporal's sandbox: the bundle of every worker.
export { blob } from './blobs/blob-workflow.js';

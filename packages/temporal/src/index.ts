export { type Address, formatAddress, parseAddress } from './address.js';
export { type BlobRef, dropBlob, getBlob, putBlob } from './blobs/blob.js';
export { buildId, taskQueue } from './build-id.js';
export { connect } from './connection.js';
export { exportHistory, exportRun, writeLog } from './run/export-history.js';
export { postMessageAt } from './run/post-message.js';
export {
  readEntries,
  runWorkflow,
  runWorkflowAt,
  type TemporalRunOptions,
} from './run/run-workflow.js';
export { createStepActivities } from './run/step-activities.js';
export { openShop, type TemporalShopOptions } from './shop/open-shop.js';
export { createTemporalExecutor, type SuiteSettings } from './suite/suite-executor.js';
export { startWorker, type TemporalWorker, type WorkerSettings } from './worker.js';

export { type Address, formatAddress, parseAddress } from './address.js';
export { connect } from './connection.js';
export { startWorker, type TemporalWorker, type WorkerSettings } from './worker.js';

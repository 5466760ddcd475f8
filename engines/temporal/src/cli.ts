import { parseAddress } from './address.js';
import { startWorker } from './worker.js';

const worker = await startWorker({ address: parseAddress(process.argv[3] ?? ''), slots: 1 });
process.once('SIGINT', () => void worker.stop());
process.once('SIGTERM', () => void worker.stop());
await worker.ended;

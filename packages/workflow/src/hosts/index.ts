export { createNullStore } from '../log/null-store.js';
export { hasRun } from '../log/store.js';
export { resumeRun, runWorkflow } from './run.js';
export { stateOfRun } from './run-state.js';

export { type Changeset, type ChangesetOptions, openChangeset } from './changeset.js';
export type { Change } from './diff.js';
export {
  type ChangesetEdit,
  type ChangesetOutput,
  type ChangesetPlace,
  changesetOfRun,
  changesetRegistry,
} from './handlers.js';

export {
  connectService,
  type ProgressOptions,
  type ServiceClient,
  type ServiceClientOptions,
} from './client.js';
export { RequestProblem } from './client-answers.js';
export type { components, paths } from './openapi.js';
export type { CommandOptions, ShopClient } from './shop-client.js';

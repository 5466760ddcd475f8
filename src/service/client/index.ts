export {
  connectService,
  type ProgressOptions,
  type ServiceClient,
  type ServiceClientOptions,
} from './client.js';
export { RequestProblem } from './client-answers.js';
export type { components, paths } from './openapi.js';
export type { ShopClient, TellOptions } from './shop-client.js';

// Not public: parts of the service that only packages/lab uses. They change without notice.
export { demoRequest } from './demo/demo.js';
export { createApp } from './http/app.js';
export { openShopDirectory } from './shops/open-directory.js';
export type { ShopDirectory } from './shops/shop-directory.js';

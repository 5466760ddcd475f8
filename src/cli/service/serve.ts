/** `alas-jssp serve`; the build replaces this file by a bundle, which loads three times as fast. */
export { serveCommand } from './serve-command.js';

/** `alas-jssp serve`; the build puts a bundle in its place, which takes a third of the time to load. */
export { serveCommand } from './serve-command.js';

// The commands of the service, which the command line of alas-jssp loads by the name of this package.
export { mcpCommand } from './cli/mcp.js';
export { serveCommand } from './cli/serve.js';

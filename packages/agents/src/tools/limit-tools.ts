import { AlasError } from '@alas-jssp/core/errors';
import { capabilityOf } from './tool.js';
import { requireTool } from './tool-checks.js';
import type { Toolset } from './toolset.js';

/**
 * The tools that capabilities permit. Calls of others are refused with `NotPermitted` before anything is called.
 * Closing the limited toolset closes nothing: the toolset that it limits belongs to the caller.
 */
export function limitTools(toolset: Toolset, capabilities: Iterable<string>): Toolset {
  const permitted = new Set(capabilities);
  const all = new Map(toolset.tools.map((tool) => [tool.name, tool]));
  return {
    tools: toolset.tools.filter((tool) => permitted.has(capabilityOf(tool))),
    async call(name, input, call) {
      const capability = capabilityOf(requireTool(all, name));
      if (!permitted.has(capability)) {
        const problem = `the tool ${name} needs the capability ${JSON.stringify(capability)}`;
        const held = permitted.size === 0 ? 'there are none' : [...permitted].sort().join(', ');
        throw new AlasError('NotPermitted', `${problem}; the capabilities are: ${held}`, name);
      }
      return toolset.call(name, input, call);
    },
    async close() {},
  };
}

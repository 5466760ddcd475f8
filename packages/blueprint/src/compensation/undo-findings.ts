import type { Tool } from '@alas-jssp/agents';
import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode, Undo } from '../template/template.js';

/** The finding that an undo fails a trial. */
export function refutedUndo(node: TemplateNode, { strategy }: Undo, text: string): DraftFinding {
  const wanted =
    strategy === 'undo'
      ? 'give calls that restore the state exactly, also when they are repeated'
      : 'give calls that leave the same state however often they are called';
  return {
    code: 'undo_refuted',
    severity: 'error',
    part: `undo/${node.id}`,
    path: '$.sequence',
    message: `the undo of ${node.id} fails a trial: ${text}`,
    hint: `${wanted}, or the strategy "escalate" with the reason`,
  };
}

/** The finding that an undo cannot be tried: people decide. */
export function untriedUndo(node: TemplateNode, tool: Tool, problem: string): DraftFinding {
  return {
    code: 'undo_untried',
    severity: 'warning',
    part: `undo/${node.id}`,
    path: '$',
    message: `the undo of ${node.id} cannot be tried: ${problem}`,
    hint: `give ${tool.name} records in the catalogue, and inputs an example that its trial records have; until then people decide`,
  };
}

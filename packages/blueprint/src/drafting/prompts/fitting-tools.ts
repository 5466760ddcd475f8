import type { Tool, ToolCatalogue } from '@alas-jssp/agents';

/** Catalogues up to this size go into a prompt as a whole. */
const FEW = 6;

/** The tools that fit a description best, so that prompts stay small: those that share most of its words. */
export function fittingTools(
  { tools }: ToolCatalogue,
  description: string,
  most = FEW,
): readonly Tool[] {
  if (tools.length <= most) return tools;
  const wanted = wordsOf(description);
  const scored = tools.map((tool, index) => ({ tool, index, score: scoreOf(tool, wanted) }));
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  return scored.slice(0, most).map(({ tool }) => tool);
}

/** A tool as JSON for a prompt, without what only trials need. */
export function toolFacts({ name, description, system, access, input, output, inverse }: Tool) {
  return { name, description, system, access, input, output, inverse };
}

function scoreOf({ name, description, system = '' }: Tool, wanted: ReadonlySet<string>): number {
  // A word of the name says more than one of the description.
  const count = (text: string) => [...wordsOf(text)].filter((word) => wanted.has(word)).length;
  return 3 * count(name) + 2 * count(system) + count(description);
}

/** The words of a text in lower case, without their endings. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.map((word) => word.replace(/(ing|ed|es|s)$/, '')));
}

import { parseSync } from 'oxc-parser';

/** A node of a syntax tree; positions count characters. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The statements of a TypeScript file. */
export function statementsIn(file: string, text: string): readonly SyntaxNode[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return program.body as unknown as SyntaxNode[];
}

/** The nodes directly within a node. */
function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

/** A node and all within it, outer ones first. */
export function* nodesWithin(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesWithin(child);
}

function isNode(value: unknown): value is SyntaxNode {
  return value !== null && typeof value === 'object' && 'type' in value && 'start' in value;
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Whether a node is a function with a body. */
export function isFunction({ type, body }: SyntaxNode): boolean {
  return FUNCTIONS.includes(type) && body !== null;
}

/** The lines of a function without those of functions within it, of which the first and the last count. */
export function ownLines(text: string, node: SyntaxNode): number {
  const linesOf = ({ start, end }: SyntaxNode) => text.slice(start, end).split('\n').length;
  const inner = childrenOf(node).flatMap(outermostFunctions);
  return inner.reduce((sum, one) => sum - Math.max(0, linesOf(one) - 2), linesOf(node));
}

function outermostFunctions(node: SyntaxNode): SyntaxNode[] {
  return isFunction(node) ? [node] : childrenOf(node).flatMap(outermostFunctions);
}

/** An expression without parentheses and assertions of types around it. */
export function bare(node: SyntaxNode): SyntaxNode {
  const wrappers = ['ParenthesizedExpression', 'TSAsExpression', 'TSSatisfiesExpression'];
  return wrappers.includes(node.type) ? bare(node.expression as SyntaxNode) : node;
}

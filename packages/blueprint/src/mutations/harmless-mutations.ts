import type { TemplateNode } from '../template/template.js';
import {
  calledTool,
  type DraftMutation,
  editOne,
  harmless,
  type MutableDraft,
  nodesWith,
  pick,
  reorder,
} from './mutation.js';
import { renameNodes } from './rename.js';

/** Changes after which a good draft is as good as before. */
export const harmlessMutations: readonly DraftMutation[] = [
  harmless('nodes have other ids', (draft, random) => {
    const suffix = pick(['Step', '_b', '-2', 'X7'], random) ?? 'Step';
    renameNodes(draft, (id) => `${id}${suffix}`);
    return true;
  }),
  harmless('roles have other ids', ({ template }, random) => {
    const prefix = pick(['the', 'our', 'r'], random) ?? 'the';
    const rename = (id: string) => `${prefix}_${id}`;
    for (const role of template.roles) role.id = rename(role.id);
    for (const node of template.nodes) if (node.role !== null) node.role = rename(node.role);
    return true;
  }),
  harmless('nodes have another order', ({ template }, random) => reorder(template.nodes, random)),
  harmless('edges have another order', ({ template }, random) => {
    // Of a choice the first edge whose guard holds is taken: the order of those stays.
    const guarded = template.edges.filter(({ when }) => when !== undefined);
    const sources = new Set(guarded.map(({ from }) => from));
    if (sources.size < guarded.length) return false;
    return reorder(template.edges, random);
  }),
  harmless('roles have another order', ({ template }, random) => reorder(template.roles, random)),
  harmless('undos have another order', ({ template }, random) => reorder(template.undo, random)),
  harmless('coverage has another order', ({ template }, random) => {
    const constraints = reorder(template.constraintCoverage, random);
    return reorder(template.disruptionCoverage, random) || constraints;
  }),
  harmless('tools have another order', ({ catalogue }, random) => reorder(catalogue.tools, random)),
  harmless('inputs have another order', ({ template }, random) =>
    editOne(template.nodes, random, ({ details }) => {
      details.input = Object.fromEntries(Object.entries(details.input).reverse());
    }),
  ),
  harmless('a timeout is longer', ({ template }, random) =>
    editOne(
      template.nodes.filter(({ work }) => work !== 'choice'),
      random,
      ({ details }) => {
        details.timeout = (details.timeout ?? 60) * random.integer(2, 5);
      },
    ),
  ),
  harmless('nodes are described in other words', ({ template }, random) => {
    const words = pick(['now ', 'carefully ', 'as asked, '], random);
    for (const node of template.nodes) node.does = `${words}${node.does}`;
    return true;
  }),
  harmless('roles are described in other words', ({ template }) => {
    for (const role of template.roles) role.purpose = `In this task: ${role.purpose}`;
    return true;
  }),
  harmless('undos have other reasons', ({ template }, random) =>
    editOne(template.undo, random, (undo) => {
      undo.reason = `${undo.reason} The owner of the tool says so.`;
    }),
  ),
  harmless('an idempotent step is retried', (draft, random) => {
    const repeatable = nodesWith(draft, 'read', 'change').filter((node) => {
      const isFatal = draft.template.undo.some(
        (undo) => undo.node === node.id && undo.strategy === 'irreversible',
      );
      return !isFatal && calledTool(draft, node)?.idempotent === true;
    });
    return editOne(repeatable, random, ({ details }) => {
      details.retry = { attempts: (details.retry?.attempts ?? 1) + 1, on: ['*'] };
    });
  }),
  harmless('another node reads', addReader),
  harmless('a step needs an approval, too', (draft, random) =>
    editOne(
      nodesWith(draft, 'change').filter(({ details }) => details.approval === undefined),
      random,
      ({ id, details }) => {
        details.approval = `approve ${id}`;
      },
    ),
  ),
  harmless('fewer people may approve', ({ template }, random) =>
    editOne(
      template.nodes.filter(({ details }) => details.approval !== undefined),
      random,
      ({ details }) => {
        details.approvers = (details.approvers ?? ['support-lead']).slice(0, 1);
      },
    ),
  ),
  harmless('a context is larger', ({ template }, random) =>
    editOne(template.roles, random, ({ context }) => {
      context.tokens *= random.integer(2, 4);
    }),
  ),
  harmless('a node sees another earlier result', ({ template }, random) => {
    const pairs = template.edges.flatMap(({ from, to }) => {
      const earlier = template.nodes.find(({ id }) => id === from);
      const later = template.nodes.find(({ id }) => id === to);
      const role = template.roles.find(({ id }) => id === later?.role);
      if (earlier?.work === 'choice' || later?.work === 'choice' || later === undefined) return [];
      const isSure = template.edges.filter((edge) => edge.to === to).length === 1;
      const isSeen = later.details.sees.includes(from);
      return isSure && !isSeen && role?.context.keeps.includes('dependencies')
        ? [{ later, from }]
        : [];
    });
    return editOne(pairs, random, ({ later, from }) => later.details.sees.push(from));
  }),
  harmless('a constraint is enforced twice', ({ template }, random) =>
    editOne(
      template.constraintCoverage.filter(({ enforced }) =>
        enforced.some(({ by }) => by !== 'nothing'),
      ),
      random,
      ({ enforced }) => enforced.push(structuredClone(enforced[0])),
    ),
  ),
  harmless('a limit of time is explicit', ({ template }, random) =>
    editOne(
      template.nodes.filter(({ work, details }) => work !== 'choice' && !details.timeout),
      random,
      ({ details }) => {
        details.timeout = 60;
      },
    ),
  ),
  harmless('the catalogue has another tool', ({ catalogue }) => {
    const name = 'archive.list';
    if (catalogue.tools.some((tool) => tool.name === name)) return false;
    catalogue.tools.push({
      name,
      description: 'Lists old records.',
      system: 'archive',
      input: { type: 'object', properties: {}, additionalProperties: false },
      output: { type: 'object', properties: {}, additionalProperties: false },
      access: 'read',
      idempotent: true,
      records: [],
      refusals: [],
      examples: [],
    });
    return true;
  }),
];

/** Adds a node that reads the same as another one, between that node and its successor. */
function addReader(draft: MutableDraft, random: Parameters<DraftMutation['apply']>[1]): boolean {
  const { template } = draft;
  const readers = nodesWith(draft, 'read').filter(
    ({ id, details }) =>
      details.forEach === undefined &&
      details.catch === undefined &&
      template.edges.filter(({ from }) => from === id).length === 1,
  );
  return editOne(readers, random, (node: TemplateNode) => {
    let id = 'readAgain';
    while (template.nodes.some((one) => one.id === id)) id += 'X';
    const edge = template.edges.find(({ from }) => from === node.id);
    if (edge === undefined) return;
    template.edges.push({ from: id, to: edge.to, repairable: edge.repairable });
    edge.to = id;
    const details = structuredClone(node.details);
    template.nodes.push({ ...node, id, operation: null, details: { ...details, id } });
  });
}

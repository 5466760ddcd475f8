import { calledTool, type DraftMutation, editOne, harmful, nodesWith, pick } from './mutation.js';

/** Harmful changes of the details of nodes. */
export const nodeMutations: readonly DraftMutation[] = [
  harmful('an input is missing', (draft, random) => {
    const given = nodesWith(draft, 'read', 'change', 'irreversible').filter(
      ({ details }) => Object.keys(details.input).length > 0,
    );
    return editOne(given, random, ({ details }) => {
      const key = pick(Object.keys(details.input), random);
      if (key !== undefined) delete details.input[key];
    });
  }),
  harmful('an input comes from a later node', ({ template }, random) => {
    const readers = template.nodes.filter(({ details }) => Object.keys(details.input).length > 0);
    const reader = pick(readers, random);
    if (reader === undefined) return false;
    const later = new Set([reader.id]);
    for (const id of later)
      for (const { from, to } of template.edges) if (from === id) later.add(to);
    later.delete(reader.id);
    const source = pick([...later], random);
    if (source === undefined) return false;
    const key = pick(Object.keys(reader.details.input), random) as string;
    reader.details.input[key] = `outputs.${source}.id`;
    return true;
  }),
  harmful('an input reads a key that does not exist', ({ template }, random) => {
    const readers = template.nodes.filter(({ details }) => Object.keys(details.input).length > 0);
    return editOne(readers, random, ({ details }) => {
      const key = pick(Object.keys(details.input), random) as string;
      details.input[key] = 'input.nothingOfThisName';
    });
  }),
  harmful('an input is a constant of another type', (draft, random) =>
    editOne(nodesWith(draft, 'read', 'change', 'irreversible'), random, ({ details }) => {
      const key = pick(Object.keys(details.input), random);
      if (key !== undefined) details.input[key] = { value: { odd: true } };
    }),
  ),
  harmful('an approval is missing', ({ template }, random) =>
    editOne(
      template.nodes.filter(({ details }) => details.approval !== undefined),
      random,
      ({ details }) => {
        delete details.approval;
        delete details.approvers;
      },
    ),
  ),
  harmful('an approval comes after the effect', ({ template }, random) => {
    const held = pick(
      template.nodes.filter(({ details }) => details.approval !== undefined),
      random,
    );
    const others = template.nodes.filter((node) => node !== held && node.work !== 'choice');
    if (held === undefined) return false;
    return editOne(others, random, ({ details }) => {
      details.approval = held.details.approval;
      delete held.details.approval;
    });
  }),
  harmful('an earlier approval opens an irreversible step, too', (draft, random) => {
    const fatal = pick(
      nodesWith(draft, 'irreversible').filter(({ details }) => details.approval !== undefined),
      random,
    );
    if (fatal === undefined) return false;
    return editOne(
      nodesWith(draft, 'read', 'change').filter(({ id }) =>
        draft.template.edges.some(({ from }) => from === id),
      ),
      random,
      ({ details }) => {
        details.approval = fatal.details.approval;
      },
    );
  }),
  harmful('a model or a function does not say what it returns', ({ template }, random) =>
    editOne(
      template.nodes.filter(({ work }) => work === 'model' || work === 'compute'),
      random,
      ({ details }) => {
        delete details.output;
      },
    ),
  ),
  harmful('an irreversible step is retried', (draft, random) =>
    editOne(nodesWith(draft, 'irreversible'), random, ({ details }) => {
      details.retry = { attempts: 3, on: ['*'] };
    }),
  ),
  harmful('a step that is not idempotent is retried', (draft, random) =>
    editOne(nodesWith(draft, 'change'), random, (node) => {
      const tool = calledTool(draft, node);
      if (tool !== undefined) tool.idempotent = false;
      node.details.retry = { attempts: 3, on: ['*'] };
    }),
  ),
  harmful('a step calls another tool', (draft, random) =>
    editOne(nodesWith(draft, 'change', 'irreversible'), random, ({ details }) => {
      const others = draft.catalogue.tools.filter(({ name }) => name !== details.tool);
      details.tool = pick(others, random)?.name ?? details.tool;
    }),
  ),
  harmful('a step calls a tool that does not exist', (draft, random) =>
    editOne(nodesWith(draft, 'read', 'change', 'irreversible'), random, ({ details }) => {
      details.tool = 'no.such.tool';
    }),
  ),
  harmful('an operation lies about its access', (draft, random) =>
    editOne(nodesWith(draft, 'change', 'irreversible'), random, (node) => {
      const operation = draft.specification.operations.find(({ id }) => id === node.operation);
      if (operation !== undefined) operation.access = 'read';
    }),
  ),
  harmful('an effect performs no operation', (draft, random) =>
    editOne(nodesWith(draft, 'change', 'irreversible'), random, (node) => {
      node.operation = null;
    }),
  ),
  harmful('a node that changes something is missing', (draft, random) => {
    const { template } = draft;
    const node = pick(nodesWith(draft, 'change', 'irreversible'), random);
    if (node === undefined) return false;
    template.nodes.splice(template.nodes.indexOf(node), 1);
    const next = template.edges.filter(({ from }) => from === node.id);
    for (const edge of template.edges) {
      if (edge.to === node.id && next[0] !== undefined) edge.to = next[0].to;
    }
    template.edges = template.edges.filter(
      ({ from, to }) => from !== node.id && to !== node.id && from !== to,
    );
    template.undo = template.undo.filter((undo) => undo.node !== node.id);
    return true;
  }),
  harmful('a timeout is missing where the task counts on it', (draft, random) => {
    const timeouts = draft.specification.disruptions.filter(({ kind }) => kind === 'timeout');
    const nodes = draft.template.nodes.filter(
      ({ operation, details }) =>
        details.timeout !== undefined && timeouts.some((one) => one.operation === operation),
    );
    return editOne(nodes, random, ({ details }) => {
      delete details.timeout;
    });
  }),
  harmful('a retry is missing where the task counts on it', (draft, random) =>
    editOne(
      draft.template.nodes.filter(
        ({ id, details }) =>
          details.retry !== undefined &&
          draft.template.disruptionCoverage.some(
            ({ handler }) => handler.by === 'retry' && handler.node === id,
          ),
      ),
      random,
      ({ details }) => {
        delete details.retry;
      },
    ),
  ),
  harmful('an earlier result is not seen any more', ({ template }, random) =>
    editOne(
      template.nodes.filter(({ details }) => details.sees.length > 0),
      random,
      ({ details }) => details.sees.splice(0),
    ),
  ),
  harmful('a node sees a later one', ({ template }, random) => {
    const edge = pick(
      template.edges.filter(({ from }) =>
        template.nodes.some(({ id, work }) => id === from && work !== 'choice'),
      ),
      random,
    );
    const node = template.nodes.find(({ id }) => id === edge?.from);
    if (edge === undefined || node === undefined) return false;
    node.details.sees.push(edge.to);
    return true;
  }),
];

import { capabilityOf } from '@alas-jssp/agents';
import { calledTool, type DraftMutation, editOne, harmful, nodesWith, pick } from './mutation.js';

/** Harmful changes of roles. */
export const roleMutations: readonly DraftMutation[] = [
  harmful('a capability is missing', (draft, random) =>
    editOne(nodesWith(draft, 'read', 'change', 'irreversible'), random, (node) => {
      const tool = calledTool(draft, node);
      const role = draft.template.roles.find(({ id }) => id === node.role);
      if (tool === undefined || role === undefined) return;
      role.capabilities = role.capabilities.filter((one) => one !== capabilityOf(tool));
    }),
  ),
  harmful('a capability is another one', (draft, random) => {
    const all = [...new Set(draft.catalogue.tools.map(capabilityOf))];
    return editOne(nodesWith(draft, 'read', 'change', 'irreversible'), random, (node) => {
      const tool = calledTool(draft, node);
      const role = draft.template.roles.find(({ id }) => id === node.role);
      if (tool === undefined || role === undefined) return;
      const other = pick(
        all.filter((one) => !role.capabilities.includes(one)),
        random,
      );
      const at = role.capabilities.indexOf(capabilityOf(tool));
      role.capabilities[at] = other ?? 'another:capability';
    });
  }),
  harmful('an agent with a prompt may change something', (draft, random) => {
    const changing = draft.catalogue.tools.filter(({ access }) => access !== 'read');
    const tool = pick(changing, random);
    const models = draft.template.nodes.filter(({ work }) => work === 'model');
    if (tool === undefined) return false;
    return editOne(models, random, (node) => {
      const role = draft.template.roles.find(({ id }) => id === node.role);
      role?.capabilities.push(capabilityOf(tool));
    });
  }),
  harmful('a node has a role without its permissions', (draft, random) => {
    const { roles } = draft.template;
    return editOne(nodesWith(draft, 'read', 'change', 'irreversible'), random, (node) => {
      const tool = calledTool(draft, node);
      const others = roles.filter(
        ({ capabilities }) => tool !== undefined && !capabilities.includes(capabilityOf(tool)),
      );
      node.role = pick(others, random)?.id ?? 'nobody';
    });
  }),
  harmful('a reviewer has the role of what it reviews', ({ template }, random) => {
    const reviews = template.nodes.filter(({ details }) => details.reviews !== undefined);
    return editOne(reviews, random, (node) => {
      const reviewed = template.nodes.find(({ id }) => id === node.details.reviews);
      node.role = reviewed?.role ?? null;
    });
  }),
  harmful('a reviewer shares model and prompt with what it reviews', ({ template }, random) => {
    const pairs = template.nodes.flatMap((node) => {
      const reviewed = template.nodes.find(({ id }) => id === node.details.reviews);
      return reviewed?.work === 'model' ? [{ node, reviewed }] : [];
    });
    return editOne(pairs, random, ({ node, reviewed }) => {
      node.work = 'model';
      node.does = reviewed.does;
      node.role = reviewed.role;
    });
  }),
  harmful('a context is too small', (draft, random) => {
    const { roles, nodes } = draft.template;
    const seeing = nodes.filter(({ details }) => details.sees.length > 0);
    return editOne(seeing, random, (node) => {
      const role = roles.find(({ id }) => id === node.role);
      if (role !== undefined) role.context.tokens = 1;
    });
  }),
  harmful('a context drops what its nodes see', (draft, random) => {
    const { roles, nodes } = draft.template;
    const seeing = nodes.filter(({ details }) => details.sees.length > 0);
    return editOne(seeing, random, (node) => {
      const role = roles.find(({ id }) => id === node.role);
      if (role !== undefined) role.context.keeps = ['goals'];
    });
  }),
];

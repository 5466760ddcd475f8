import type { Undo } from '../template/template.js';
import {
  calledTool,
  type DraftMutation,
  editOne,
  harmful,
  type MutableDraft,
  nodesWith,
  pick,
  removeOne,
} from './mutation.js';

const undone = ({ template }: MutableDraft): Undo[] =>
  template.undo.filter(({ strategy, sequence }) => strategy === 'undo' && sequence.length > 0);

const calls = (draft: MutableDraft) => undone(draft).flatMap(({ sequence }) => sequence);

/** Harmful changes of undos. */
export const undoMutations: readonly DraftMutation[] = [
  harmful('an undo is missing', ({ template }, random) =>
    removeOne(template.undo, random, () => true),
  ),
  harmful('an undo calls another tool that changes something', (draft, random) =>
    editOne(calls(draft), random, (call) => {
      const others = draft.catalogue.tools.filter(
        ({ name, access }) => access === 'change' && name !== call.tool,
      );
      call.tool = pick(others, random)?.name ?? call.tool;
    }),
  ),
  harmful('an undo calls a tool that only reads', (draft, random) => {
    const reading = pick(
      draft.catalogue.tools.filter(({ access }) => access === 'read'),
      random,
    );
    if (reading === undefined) return false;
    return editOne(calls(draft), random, (call) => {
      call.tool = reading.name;
    });
  }),
  harmful('an undo calls an irreversible tool', (draft, random) => {
    const fatal = pick(
      draft.catalogue.tools.filter(({ access }) => access === 'irreversible'),
      random,
    );
    if (fatal === undefined) return false;
    return editOne(calls(draft), random, (call) => {
      call.tool = fatal.name;
    });
  }),
  harmful('an undo has swapped arguments', (draft, random) => {
    const swappable = calls(draft).filter(({ input }) => Object.keys(input).length > 1);
    return editOne(swappable, random, ({ input }) => {
      const [one, other] = Object.keys(input);
      [input[one], input[other]] = [input[other], input[one]];
    });
  }),
  harmful('an undo gets an input in place of the output', (draft, random) => {
    const fitting = undone(draft).flatMap(({ node, sequence }) => {
      const owner = draft.template.nodes.find(({ id }) => id === node);
      const keys = Object.keys(
        (owner && (calledTool(draft, owner)?.input.properties as object)) ?? {},
      );
      return keys.length === 0 ? [] : sequence.map((call) => ({ call, keys }));
    });
    return editOne(fitting, random, ({ call, keys }) => {
      const [key] = Object.keys(call.input);
      if (key !== undefined) call.input[key] = `input.${pick(keys, random)}`;
    });
  }),
  harmful('an undo reads what does not exist', (draft, random) =>
    editOne(calls(draft), random, ({ input }) => {
      const [key = 'id'] = Object.keys(input);
      input[key] = 'output.nothing';
    }),
  ),
  harmful('an undo lacks an argument', (draft, random) => {
    const given = calls(draft).filter(({ input }) => Object.keys(input).length > 0);
    return editOne(given, random, ({ input }) => {
      const key = pick(Object.keys(input), random);
      if (key !== undefined) delete input[key];
    });
  }),
  harmful('an undo does nothing', (draft, random) =>
    editOne(undone(draft), random, ({ sequence }) => sequence.splice(0)),
  ),
  harmful('an undo calls a tool that is not idempotent', (draft, random) =>
    editOne(calls(draft), random, (call) => {
      const tool = draft.catalogue.tools.find(({ name }) => name === call.tool);
      if (tool !== undefined) tool.idempotent = false;
    }),
  ),
  harmful('an undo repeats only the first call of several', (draft, random) => {
    const long = undone(draft).filter(({ sequence }) => sequence.length > 1);
    return editOne(long, random, ({ sequence }) => sequence.splice(1));
  }),
  harmful('an undo is that of another node', (draft, random) => {
    const entries = undone(draft);
    return editOne(entries, random, (undo) => {
      const other = pick(
        entries.filter(({ node }) => node !== undo.node),
        random,
      );
      if (other !== undefined) undo.sequence = structuredClone(other.sequence);
    });
  }),
  harmful('a step that can be undone is declared irreversible', (draft, random) =>
    editOne(undone(draft), random, (undo) => {
      undo.strategy = 'irreversible';
      undo.sequence = [];
    }),
  ),
  harmful('an irreversible step is declared to be undone', (draft, random) => {
    const reversing = pick(
      draft.catalogue.tools.filter(({ access }) => access === 'change'),
      random,
    );
    const fatal = draft.template.undo.filter(({ strategy }) => strategy === 'irreversible');
    return editOne(fatal, random, (undo) => {
      undo.strategy = 'undo';
      undo.sequence = [{ tool: reversing?.name ?? 'undo', input: {} }];
    });
  }),
  harmful('a tool is declared irreversible, and keeps its undo', (draft, random) =>
    editOne(nodesWith(draft, 'change'), random, (node) => {
      const tool = calledTool(draft, node);
      if (tool !== undefined) tool.access = 'irreversible';
    }),
  ),
];

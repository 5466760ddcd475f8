import { describe, expect, it } from 'vitest';
import { checkDraft, compileTeam, isTeam, type Team, teamSchema } from '../../src/index.js';

const agent = (name: string, more: object = {}) => ({
  name,
  backstory: `You are ${name}.`,
  task_description: `Do the work of ${name}.`,
  ...more,
});

const team = (agents: readonly object[], edges: readonly [string, string][]): Team =>
  teamSchema.parse({ name: 'test team', agents, edges });

const writer = (name: string) => agent(name, { tools: 'write_str_to_txt' });

describe('compileTeam', () => {
  it('makes a draft of a team that passes the checks', () => {
    const compiled = compileTeam(
      team(
        [agent('Poet'), agent('Translator'), writer('Writer')],
        [
          ['Translator', 'Writer'],
          ['Poet', 'Translator'],
        ],
      ),
    );
    const { template, specification, catalogue, text } = compiled;
    expect(template.nodes.map(({ id }) => id)).toEqual([
      'poet',
      'translator',
      'writer',
      'writer-file',
    ]);
    expect(template.edges.map(({ from, to }) => [from, to])).toEqual([
      ['poet', 'translator'],
      ['translator', 'writer'],
      ['writer', 'writer-file'],
    ]);
    expect(
      checkDraft({ specification, template, catalogue }).filter(
        ({ severity }) => severity === 'error',
      ),
    ).toEqual([]);
    for (const { source } of specification.operations) expect(text).toContain(source);
  });

  it('tells agents of one name apart by their place in the list', () => {
    const { template } = compileTeam(
      team(
        [
          agent('Collector'),
          writer('Writer'),
          agent('Extractor'),
          writer('Writer'),
          agent('Trainer'),
        ],
        [
          ['Writer', 'Trainer'],
          ['Extractor', 'Writer'],
          ['Writer', 'Extractor'],
          ['Collector', 'Writer'],
        ],
      ),
    );
    expect(template.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'collector writer',
      'writer writer-file',
      'writer-file extractor',
      'extractor writer-2',
      'writer-2 writer-2-file',
      'writer-2-file trainer',
    ]);
  });

  it('refuses a cycle and names it', () => {
    const circle = team(
      [agent('A'), agent('B'), agent('C')],
      [
        ['A', 'B'],
        ['B', 'C'],
        ['C', 'A'],
      ],
    );
    expect(() => compileTeam(circle)).toThrow('the work goes in a circle: a → b → c → a');
  });

  it.each([
    ['an edge of an unknown agent', [agent('A')], [['A', 'Nobody']], 'the agent Nobody'],
    ['a tool that is not known', [agent('A', { tools: 'browse' })], [], 'the tool browse'],
    [
      'an ambiguous edge',
      [agent('A'), agent('A'), agent('B'), agent('B')],
      [['A', 'B']],
      'is ambiguous',
    ],
  ])('refuses %s', (_, agents, edges, message) => {
    expect(() => compileTeam(team(agents, edges as [string, string][]))).toThrow(message);
  });

  it('recognizes a team among other JSON', () => {
    expect(isTeam({ agents: [], edges: [] })).toBe(true);
    expect(isTeam({ schema: 'alas-jssp/tools@1', tools: [] })).toBe(false);
    expect(isTeam(null)).toBe(false);
  });
});

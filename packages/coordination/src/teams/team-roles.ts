import type { Past } from '../judge/past.js';
import { pastParts } from '../llm/prompt.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import type { TeamRole } from './team.js';

/** A role, and the kinds of facts that it sees. */
type RoleForm = Omit<TeamRole, 'facts'> & {
  readonly sees: readonly string[];
  /** Whether it sees what has happened before a change. */
  readonly remembers: boolean;
};

const FORMS: readonly RoleForm[] = [
  {
    id: 'arrivals',
    name: 'agent for arrivals',
    kind: 'specialist',
    duty: 'You say where each person and each vehicle is, from when on, and what each has to do before it can leave.',
    sees: ['place', 'person', 'vehicle'],
    remembers: true,
  },
  {
    id: 'transport',
    name: 'agent for transport',
    kind: 'specialist',
    duty: 'You say which vehicle drives whom over which roads, who drives it, and from when to when. A drive is one road and takes its minutes.',
    sees: ['place', 'road', 'traffic', 'person', 'vehicle', 'ride', 'preference'],
    remembers: true,
  },
  {
    id: 'tasks',
    name: 'agent for tasks',
    kind: 'specialist',
    duty: 'You say who does which activity where, from when to when, in which order, and who is there where somebody has to be.',
    sees: ['place', 'person', 'activity', 'resource', 'preference'],
    remembers: true,
  },
  {
    id: 'coordinator',
    name: 'coordinator',
    kind: 'coordinator',
    duty: 'You put the parts of the others together into one plan for everybody.',
    sees: [],
    remembers: false,
  },
  {
    id: 'roads-check',
    name: 'validator of drives',
    kind: 'validator',
    duty: 'You check drives and nothing else: is there the road, does the drive take its minutes, may the driver drive the vehicle, is there a seat for each passenger, and is each of them at its beginning?',
    sees: ['road', 'traffic', 'person', 'vehicle', 'ride'],
    remembers: true,
  },
  {
    id: 'tasks-check',
    name: 'validator of tasks',
    kind: 'validator',
    duty: 'You check activities and nothing else: is each of them there, at its place, while that is open, long enough, in its time, in its order, by the people it needs, and watched where it has to be?',
    sees: ['place', 'person', 'activity', 'resource'],
    remembers: true,
  },
  {
    id: 'supervisor',
    name: 'supervisor',
    kind: 'supervisor',
    duty: 'You are responsible for the final plan: it has to keep every fact and every rule.',
    sees: [],
    remembers: false,
  },
];

/**
 * The team of seven for a problem: three specialists with the facts of their part, a coordinator, two validators with
 * the facts of what they check, and a supervisor.
 */
export function teamRolesFor(problem: Problem, past: Past | undefined): readonly TeamRole[] {
  const statements = statementsOf(problem);
  return FORMS.map(({ sees, remembers, ...role }) => {
    const seen = statements
      .filter(({ kind }) => sees.includes(kind))
      .map(({ kind, name, facts }) => `- ${kind} ${name}: ${facts}`);
    const facts = [
      `Facts of '${problem.name}' (times are HH:MM):\n${seen.join('\n')}`,
      ...(remembers ? pastParts(past) : []),
    ];
    return { ...role, facts: facts.join('\n\n') };
  });
}

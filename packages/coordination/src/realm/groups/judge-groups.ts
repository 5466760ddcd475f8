import { formatClock } from '../../model/clock.js';
import { costOfGroups, type GroupTour, type GroupTours } from './groups.js';

interface GroupFault {
  readonly code:
    | 'unknown_name'
    | 'repeated_group'
    | 'missing_group'
    | 'not_there'
    | 'not_available'
    | 'too_many_people'
    | 'overlap';
  readonly message: string;
}

/** Judges a plan of tours: each group has one, with a guide who is there, free, and may lead so many. */
export function judgeGroups(problem: GroupTours, tours: readonly GroupTour[]) {
  const violations = [
    ...serviceFaults(problem, tours),
    ...tourFaults(problem, tours),
    ...overlaps(problem, tours),
  ];
  return { valid: violations.length === 0, violations, cost: costOfGroups(problem, tours) };
}

function* serviceFaults(
  { groups }: GroupTours,
  tours: readonly GroupTour[],
): Generator<GroupFault> {
  for (const { id } of groups) {
    const times = tours.filter(({ group }) => group === id).length;
    if (times === 0) yield { code: 'missing_group', message: `${id} has no tour` };
    if (times > 1) yield { code: 'repeated_group', message: `${id} has ${times} tours` };
  }
}

function* tourFaults(problem: GroupTours, tours: readonly GroupTour[]): Generator<GroupFault> {
  for (const { group, guide, start } of tours) {
    const visitors = problem.groups.find(({ id }) => id === group);
    const leader = problem.guides.find(({ id }) => id === guide);
    if (visitors === undefined)
      yield { code: 'unknown_name', message: `there is no group '${group}'` };
    if (leader === undefined)
      yield { code: 'unknown_name', message: `there is no guide '${guide}'` };
    if (visitors === undefined || leader === undefined) continue;
    if (start < visitors.arrives) {
      const message = `the tour of ${group} starts at ${formatClock(start)}, and it arrives at ${formatClock(visitors.arrives)}`;
      yield { code: 'not_there', message };
    }
    if (start < leader.from || start + problem.minutes > leader.until) {
      const message = `${guide} leads ${group} from ${formatClock(start)} to ${formatClock(start + problem.minutes)}, and is there from ${formatClock(leader.from)} to ${formatClock(leader.until)}`;
      yield { code: 'not_available', message };
    }
    const most = Math.min(leader.mostPeople, problem.mostPeople);
    if (visitors.size > most) {
      const message = `${group} are ${visitors.size} people, and ${guide} leads at most ${most}`;
      yield { code: 'too_many_people', message };
    }
  }
}

function* overlaps(
  { guides, minutes }: GroupTours,
  tours: readonly GroupTour[],
): Generator<GroupFault> {
  for (const { id } of guides) {
    const own = tours.filter(({ guide }) => guide === id).toSorted((a, b) => a.start - b.start);
    for (const [i, next] of own.slice(1).entries()) {
      const before = own[i];
      if (next.start >= before.start + minutes) continue;
      const message = `${id} leads ${before.group} until ${formatClock(before.start + minutes)}, and ${next.group} from ${formatClock(next.start)} on`;
      yield { code: 'overlap', message };
    }
  }
}

import { placesOfRoute } from './realm-map.js';
import { type RealmFinding, type RealmReading, readingOf } from './realm-reading.js';
import type { RealmGathering } from './realm-schema.js';

/**
 * The gaps of an instance of P5, P6, P8 or P9. It is always refused: its activities are only names, so a plan could not
 * be judged.
 */
export function readRealmGathering(gathering: RealmGathering): RealmReading {
  const findings = gatheringGaps(gathering);
  return readingOf(gathering.instance_id, findings, () => ({ problem: null, events: null }));
}

/** The gaps of an instance, all of which have to be completed before it can be planned. */
export function gatheringGaps(gathering: RealmGathering): RealmFinding[] {
  return [
    ...withoutTravel(gathering),
    ...withoutWork(gathering),
    {
      code: 'unsaid_goal' as const,
      message: `who has to be where, and when, is not stated: there is only ${listed(Object.keys(gathering.constraints))}`,
    },
  ];
}

/** People, vehicles and routes at places without any travel time. */
function withoutTravel(gathering: RealmGathering): RealmFinding[] {
  const { travel_times, guests, family_members, vehicles, disruptions } = gathering;
  const used = new Map<string, string[]>();
  const use = (place: string | undefined, who: string) => {
    if (place !== undefined) used.set(place, [...(used.get(place) ?? []), who]);
  };
  for (const { name, location } of guests) use(location, name);
  for (const { id, arrival } of family_members) use(arrival, id);
  for (const { id, location } of vehicles) use(location, id);
  const names = new Set([...Object.keys(gathering.locations), ...used.keys()]);
  const routes = Object.keys(travel_times).map((route) => placesOfRoute(route, names));
  const reached = new Set(routes.flatMap((ends) => ends ?? []));
  const roads = new Set(
    routes.flatMap((ends) => (ends === null ? [] : [ends.join('-'), ends.toReversed().join('-')])),
  );
  return [
    ...[...used]
      .filter(([place]) => !reached.has(place))
      .map(([place, who]) => ({
        code: 'place_without_travel' as const,
        message: `no travel time leads to or from '${place}', where ${listed(who)} ${who.length > 1 ? 'are' : 'is'}`,
      })),
    ...disruptions.flatMap(({ type, route }) =>
      route === undefined || roads.has(route)
        ? []
        : [
            {
              code: 'route_without_travel' as const,
              message: `the ${type} is on '${route}', of which there is no travel time`,
            },
          ],
    ),
  ];
}

/** Errands without places, and tasks without minutes, cooks or names. */
function withoutWork(gathering: RealmGathering): RealmFinding[] {
  const { errands, cooking_tasks: tasks, cooking_dependencies, family_members } = gathering;
  const skills = new Set(family_members.flatMap((member) => member.skills));
  const missing = new Set(cooking_dependencies.flat().filter((task) => !tasks.includes(task)));
  const uncooked = tasks.filter((task) => !skills.has(task));
  const findings: RealmFinding[] = [];
  if (errands.length > 0) {
    const message = `errands without place or minutes: ${listed(errands)}`;
    findings.push({ code: 'errand_without_place', message });
  }
  if (tasks.length > 0) {
    const message = `tasks without minutes: ${listed(tasks)}`;
    findings.push({ code: 'task_without_minutes', message });
  }
  for (const task of missing) {
    const message = `'${task}' comes before or after something, and is no task`;
    findings.push({ code: 'unknown_task', message });
  }
  if (uncooked.length > 0) {
    const message = `nobody is said to be able to do ${listed(uncooked)}`;
    findings.push({ code: 'task_without_cook', message });
  }
  return findings;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

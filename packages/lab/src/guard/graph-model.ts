import type { World, WorldCall } from './world.js';

interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}
interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

const keyOf = ({ from, to, relationType }: Relation) => `${from}|${to}|${relationType}`;

/** Changes a graph as the tools of the memory server say; false if the call is refused. */
export function changeGraph(graph: World['graph'], { tool, input }: WorldCall): boolean {
  const { entities, observations, relations } = graph;
  const exists = (name: string) => [...entities].some((each) => each.startsWith(`${name}|`));
  const list = <T>(key: string) => input[key] as readonly T[];
  switch (tool) {
    case 'create_entities':
      for (const each of list<Entity>('entities').filter(({ name }) => !exists(name))) {
        entities.add(`${each.name}|${each.entityType}`);
        for (const text of each.observations) observations.add(`${each.name}|${text}`);
      }
      return true;
    case 'create_relations':
      for (const each of list<Relation>('relations')) relations.add(keyOf(each));
      return true;
    case 'add_observations': {
      const wanted = list<{ entityName: string; contents: string[] }>('observations');
      if (wanted.some(({ entityName }) => !exists(entityName))) return false;
      for (const { entityName, contents } of wanted) {
        for (const text of contents) observations.add(`${entityName}|${text}`);
      }
      return true;
    }
    case 'delete_entities':
      for (const name of list<string>('entityNames')) {
        remove(entities, (each) => each.startsWith(`${name}|`));
        remove(observations, (each) => each.startsWith(`${name}|`));
        remove(relations, (each) => each.split('|').slice(0, 2).includes(name));
      }
      return true;
    case 'delete_observations':
      for (const each of list<{ entityName: string; observations: string[] }>('deletions')) {
        for (const text of each.observations) observations.delete(`${each.entityName}|${text}`);
      }
      return true;
    case 'delete_relations':
      for (const each of list<Relation>('relations')) relations.delete(keyOf(each));
      return true;
  }
  throw new Error(`the model does not know ${tool}`);
}

function remove(set: Set<string>, isWanted: (each: string) => boolean): void {
  for (const each of [...set].filter(isWanted)) set.delete(each);
}

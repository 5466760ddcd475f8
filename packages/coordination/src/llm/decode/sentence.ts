import type { Mention, NameKind, Vocabulary } from './vocabulary.js';

/** The parts of an action in a text: ids for known names, else the text itself. */
export interface ActionParts {
  kind: 'drive' | 'activity' | 'stay' | null;
  vehicle: string | null;
  /** The stated driver. */
  driver: string | null;
  /** The stated passengers; null if the text does not distinguish passengers and driver. */
  passengers: string[] | null;
  people: string[];
  from: string | null;
  to: string | null;
  at: string | null;
  activity: string | null;
  /** Things in the text that have no place in an action, in words. */
  unread: string[];
  /** The reason why the action cannot be built without a guess; null if there is none. */
  unclear: string | null;
}

/** Parts that are all unknown. */
export function noParts(): ActionParts {
  return {
    kind: null,
    vehicle: null,
    driver: null,
    passengers: null,
    people: [],
    from: null,
    to: null,
    at: null,
    activity: null,
    unread: [],
    unclear: null,
  };
}

const DRIVES = /\b(?:drives?|driving|drove|travels?|travell?ing|rides?|riding)\b/i;
const GOES =
  /\b(?:goes|go|returns?|heads?|takes?|transports?|brings?|delivers?|leaves?|departs?|moves?)\b/i;
const STAYS = /\b(?:stays?|staying|waits?|waiting|remains?|is at|are at)\b/i;
const PURPOSE = /\bto (?:pick up|fetch|collect|get|meet|bring)\b/i;
const IS_DRIVER = /^[\s*_`]*(?:\((?:driver|drives|driving)\)|(?:drives|drove|is driving|takes)\b)/i;
const BEFORE_DRIVER = /(?:\bdriven by|\bdriver(?: is)?:?)\s*$/i;
const FROM = /\b(?:from|leaves?|leaving|departs?|departing)[\s*_`"']*(?:the\s+)?$/i;
const TO =
  /(?:\b(?:to|towards?|into|arrives? at|arriving at|reach(?:es)?)|→|-+>|=>|–>)[\s*_`"']*(?:the\s+)?$/i;
const AT = /(?:\b(?:at|in)|@)[\s*_`"']*(?:the\s+)?$/i;
const OR = /\bor\s+(?:the\s+)?$/i;
const ARROW = /^[\s*_`"']*(?:→|-+>|=>|–>)/;

/** Parses a sentence, or the cell of a table, as the parts of one action. */
export function readSentence(vocabulary: Vocabulary, text: string): ActionParts {
  const parts = noParts();
  const mentions = vocabulary.mentions(text);
  const purpose = PURPOSE.exec(text)?.index ?? Number.POSITIVE_INFINITY;
  const activities: string[] = [];
  const places: string[] = [];
  const put = (key: 'from' | 'to' | 'at' | 'vehicle', id: string) => {
    if (parts[key] === null) parts[key] = id;
    else if (parts[key] !== id) parts.unclear ??= `it names '${parts[key]}' and '${id}'`;
  };
  mentions.forEach((mention, i) => {
    const before = text.slice(mentions[i - 1]?.to ?? 0, mention.from);
    const after = text.slice(mention.to, mentions[i + 1]?.from ?? text.length);
    const isPlace = FROM.test(before) || TO.test(before) || AT.test(before) || ARROW.test(after);
    if (OR.test(before)) parts.unclear ??= 'it says "or"';
    const thing = oneOf(mention, isPlace ? PLACES_FIRST : PEOPLE_FIRST);
    if (thing === null) {
      parts.unread.push(`'${text.slice(mention.from, mention.to)}' may be several`);
      return;
    }
    const { kind, id } = thing;
    if (kind === 'vehicle') put('vehicle', id);
    else if (kind === 'activity') activities.push(id);
    else if (kind === 'place') {
      places.push(id);
      if (FROM.test(before)) put('from', id);
      else if (TO.test(before)) {
        put('to', id);
        // `A → B → C` is several drives.
        if (ARROW.test(after)) parts.unclear ??= `it goes on from '${id}'`;
      } else if (ARROW.test(after)) put('from', id);
      else if (AT.test(before)) put('at', id);
    } else if (IS_DRIVER.test(after) || BEFORE_DRIVER.test(before)) {
      if (parts.driver !== null && parts.driver !== id) {
        parts.unclear ??= `'${parts.driver}' and '${id}' drive`;
      }
      parts.driver = id;
    } else if (mention.from < purpose) parts.people.push(id);
    else parts.unread.push(`'${id}' is to be fetched, and not on board`);
  });
  parts.people = [...new Set(parts.people)].filter((one) => one !== parts.driver);
  settleKind(parts, textWithout(text, mentions), places, [...new Set(activities)]);
  return parts;
}

const PLACES_FIRST: readonly NameKind[] = ['place', 'activity', 'vehicle', 'person'];
const PEOPLE_FIRST: readonly NameKind[] = ['person', 'vehicle', 'activity', 'place'];

/** The thing that a name refers to, by the first kind in `order` that has it; null if it is ambiguous. */
function oneOf({ things }: Mention, order: readonly NameKind[]): Mention['things'][number] | null {
  for (const kind of order) {
    const some = things.filter((one) => one.kind === kind);
    if (some.length > 0) return some.length === 1 ? some[0] : null;
  }
  return null;
}

function settleKind(
  parts: ActionParts,
  verbs: string,
  places: readonly string[],
  activities: readonly string[],
): void {
  const { from, to, vehicle } = parts;
  const isWay = to !== null && (from !== null || vehicle !== null || GOES.test(verbs));
  if (DRIVES.test(verbs) || isWay) {
    parts.kind = 'drive';
    // In `drives home`, a place without a preposition is the destination.
    const others = places.filter((one) => one !== parts.from && one !== parts.at);
    if (parts.to === null && others.length === 1) parts.to = others[0];
    if (parts.to === null && parts.at !== null && from !== null) parts.to = parts.at;
    for (const one of activities) parts.unread.push(`'${one}' beside a drive`);
    return;
  }
  if (activities.length > 0) {
    parts.kind = 'activity';
    parts.activity = activities[0];
    if (activities.length > 1) parts.unclear ??= `it names ${activities.join(' and ')}`;
    if (parts.at === null && places.length === 1) parts.at = places[0];
    return;
  }
  if (parts.at === null && places.length === 1) parts.at = places[0];
  if (STAYS.test(verbs) && parts.at !== null) parts.kind = 'stay';
}

/** A text without the names in it, because `pick up the clothes` may be a name, not a verb. */
function textWithout(text: string, mentions: readonly Mention[]): string {
  let rest = '';
  let at = 0;
  for (const { from, to } of mentions) {
    rest += `${text.slice(at, from)} `;
    at = to;
  }
  return rest + text.slice(at);
}

/** A register of unique names. */
export class NameRegister {
  readonly #given = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param reserved names that are never returned */
  constructor(
    private readonly clean: (wanted: string) => string,
    reserved: readonly string[] = [],
  ) {
    this.#taken = new Set(reserved);
  }

  /** The name of a thing: as wanted, or with a number if the name is used. */
  of(thing: string, wanted: string): string {
    const known = this.#given.get(thing);
    if (known !== undefined) return known;
    const base = this.clean(wanted);
    let name = base;
    for (let k = 2; this.#taken.has(name); k++) name = `${base.slice(0, MOST - 5)}_${k}`;
    this.#taken.add(name);
    this.#given.set(thing, name);
    return name;
  }
}

/** Maximum length of the names of states and of variables. */
const MOST = 80;

/** Names of states: for people to read. */
export function stateNames(): NameRegister {
  return new NameRegister((wanted) => wanted.slice(0, MOST));
}

/** Names of variables. None hides a function of JSONata, or what expressions bind themselves. */
export function variableNames(): NameRegister {
  const clean = (wanted: string) => wanted.replace(/\W+/g, '_').slice(0, MOST);
  return new NameRegister(clean, RESERVED);
}

const RESERVED = [
  'states input output outputs holds prefix effect taken own of all one a b n',
  'inDoubt doubts left meant bad status',
  'sum count max min average string substring substringBefore substringAfter lowercase uppercase length',
  'trim pad match contains replace split join formatNumber formatBase formatInteger parseInteger number',
  'floor ceil round abs sqrt power random boolean not map zip filter single reduce each sift keys lookup',
  'append exists spread merge reverse error assert type sort shuffle distinct base64encode base64decode',
  'encodeUrl encodeUrlComponent decodeUrl decodeUrlComponent eval toMillis fromMillis clone now millis',
  'partition range hash uuid parse',
].flatMap((line) => line.split(' '));

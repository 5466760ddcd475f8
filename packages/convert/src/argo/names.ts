/** Makes unique names that Argo accepts: letters, digits and hyphens. */
export interface ArgoNames {
  reserve(wish: string): string;
}

/** The longest name; Argo allows 128 characters. */
const LONGEST = 110;

/** Names of templates of a document, or of tasks of a template. */
export function createArgoNames(reserved: readonly string[] = []): ArgoNames {
  const taken = new Set(reserved);
  return {
    reserve(wish) {
      const stem = toName(wish).slice(0, LONGEST).replace(/-+$/, '');
      let name = stem;
      for (let k = 2; taken.has(name); k++) name = `${stem}-${k}`;
      taken.add(name);
      return name;
    },
  };
}

/** The nearest name that Argo accepts. */
function toName(wish: string): string {
  const name = wish.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return /^[a-zA-Z]/.test(name) ? name : `n${name}`;
}

/** The nearest name of an object of Kubernetes: small letters, digits and hyphens. */
export function toObjectName(wish: string): string {
  return toName(wish).toLowerCase().slice(0, 50).replace(/-+$/, '');
}

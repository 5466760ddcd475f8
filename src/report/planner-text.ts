/** The name of a planner for people: one that makes faulty, empty or random plans on purpose is marked as synthetic. */
export function plannerText(
  planner: string | null,
  { synthetic }: { readonly synthetic: boolean },
) {
  return `${planner ?? ''}${synthetic ? ' (synthetic)' : ''}`;
}

/** The meaning of the mark of synthetic planners. */
export const SYNTHETIC_NOTE =
  'synthetic: plans made faulty, empty or random on purpose by alas-jssp; no model was asked.';

/** The languages that sentences for people are written in, the one of the code first. */
export const LANGUAGES = ['en', 'de'] as const;

/** A language by its tag of BCP 47. */
export type Language = (typeof LANGUAGES)[number];

/** A value in each language. */
export type InEachLanguage<T> = { readonly [language in Language]: T };

/** Whether a text is the tag of a language that we have. */
export function isLanguage(tag: unknown): tag is Language {
  return (LANGUAGES as readonly unknown[]).includes(tag);
}

/**
 * The first language of a list that we have, whatever its region: `de` for `de-AT`; English if there is none.
 *
 * @param tags tags of BCP 47, the one that is wanted most first, as `navigator.languages` has them
 */
export function preferredLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [primary] = tag.trim().toLowerCase().split('-');
    if (isLanguage(primary)) return primary;
  }
  return LANGUAGES[0];
}

/** The language that a header `Accept-Language` asks for (RFC 9110, 12.5.4); English if it asks for none of ours. */
export function acceptedLanguage(header: string | undefined): Language {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag, ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return preferredLanguage(wanted.map(({ tag }) => tag));
}

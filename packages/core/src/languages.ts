/** The languages of sentences for people; the first is the default. */
export const LANGUAGES = ['en', 'de'] as const;

/** A language by its tag of BCP 47. */
export type Language = (typeof LANGUAGES)[number];

/** A value in each language. */
export type InEachLanguage<T> = { readonly [language in Language]: T };

/** Whether a text is the tag of a supported language. */
export function isLanguage(tag: unknown): tag is Language {
  return (LANGUAGES as readonly unknown[]).includes(tag);
}

/**
 * The first supported language of a list, whatever its region: `de` for `de-AT`; English if there is none.
 *
 * @param tags tags of BCP 47 in order of preference, as in `navigator.languages`
 */
export function preferredLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [primary] = tag.trim().toLowerCase().split('-');
    if (isLanguage(primary)) return primary;
  }
  return LANGUAGES[0];
}

/** The supported language that a header `Accept-Language` prefers (RFC 9110, 12.5.4); English if there is none. */
export function acceptedLanguage(header: string | undefined): Language {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag, ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return preferredLanguage(wanted.map(({ tag }) => tag));
}

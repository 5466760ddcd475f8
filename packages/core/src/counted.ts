/** A noun in the plural forms of a language: `{ one: 'order', other: 'orders' }`. */
type NounForms = { readonly other: string } & {
  readonly [form in Intl.LDMLPluralRule]?: string;
};

/** Formats numbers for a language. */
export interface LanguageNumbers {
  /** `1,234.5`, or `1.234,5`. */
  readonly number: (value: number) => string;
  /** `1 order`, `1,234 orders`. */
  readonly counted: (count: number, noun: NounForms) => string;
}

/** The number formats of a language from `Intl`, which are loaded on first use. */
export function numbersIn(locale: string): LanguageNumbers {
  let format: Intl.NumberFormat | undefined;
  let rules: Intl.PluralRules | undefined;
  const number = (value: number) => {
    format ??= new Intl.NumberFormat(locale);
    return format.format(value);
  };
  return {
    number,
    counted(count, noun) {
      rules ??= new Intl.PluralRules(locale);
      return `${number(count)} ${noun[rules.select(count)] ?? noun.other}`;
    },
  };
}

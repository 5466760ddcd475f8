import { numbersIn } from '@alas-jssp/core/counted';

const { counted } = numbersIn('en');

const plural = (count: number, one: string, many = `${one}s`) =>
  counted(count, { one, other: many });

/** The English texts of the page that opens a shop from files. */
export const englishImportTexts = {
  heading: 'Open a shop from files',
  explain:
    'Orders and routings, and tables of machine groups, setups, transport and operators if needed, as CSV files (from Excel: “Save as”, CSV); a calendar of shifts and a mapping as JSON files. Nothing is kept until the shop is opened.',
  drop: 'Drop the files here, or',
  choose: 'Choose files …',
  files: 'Files',
  remove: (file: string) => `Remove ${file}`,
  kinds: {
    orders: 'orders',
    routings: 'routings of articles',
    machines: 'groups of machines',
    setups: 'setups between families',
    transport: 'transport between machines',
    operators: 'operators and tools',
    calendar: 'calendar of shifts',
    map: 'mapping',
  },
  kindOf: (file: string) => `What is in ${file}?`,
  encoding: (encoding: string) => `not UTF-8, read as ${encoding}`,
  notUnderstood: (file: string) =>
    `${file} is neither a CSV file nor a calendar or mapping in JSON (docs/how-to/shop-data.md).`,
  twice: (kind: string) => `There are two files of one kind: ${kind}. Remove one.`,
  noOrders: 'A file of orders is still missing.',
  columns: (file: string) => `Columns of ${file}`,
  field: 'field',
  column: 'column',
  examples: 'examples',
  columnOf: (field: string, file: string) => `Column of ${file} for: ${field}`,
  noColumn: '–',
  fields: {
    order: 'order',
    article: 'article',
    customer: 'customer',
    quantity: 'quantity',
    release: 'earliest start',
    due: 'due date',
    weight: 'weight (priority)',
    step: 'step (number)',
    operation: 'operation (name)',
    machine: 'machine',
    setup: 'setup',
    per_piece: 'time per piece',
    duration: 'duration in all',
    family: 'setup family',
    operator: 'operator',
    setup_operator: 'operator of the setup',
    tool: 'tool',
    after: 'predecessors',
    min_wait: 'least wait',
    max_wait: 'greatest wait',
  } as Readonly<Record<string, string>>,
  reading: 'How they are read',
  begins: 'Time begins',
  zone: 'Time zone',
  times: 'Times of work are in',
  timeUnits: { minutes: 'minutes', seconds: 'seconds', hours: 'hours' },
  dates: 'Dates are like',
  decimals: 'Numbers are like',
  decimal: { auto: 'as the headings say', '.': '1.5', ',': '1,5' },
  preview: 'What was read',
  size: (orders: number, operations: number, machines: number) =>
    `${plural(orders, 'order')}, ${plural(operations, 'operation')}, ${plural(machines, 'machine')}`,
  shiftsUntil: (time: string) =>
    `Shifts are known until ${time}; after that machines count as up, day and night.`,
  overdue: (orders: string) => `Due before time begins, and due at its begin: ${orders}`,
  encodings: (file: string, encoding: string) =>
    `${file} is not UTF-8, and was read as ${encoding}.`,
  or: ' or ',
  parts: {
    alternatives: (operations: number) => `${plural(operations, 'operation')} with alternatives`,
    resources: (named: string) => `Operators and tools, with their number: ${named}`,
    setups: (families: number) =>
      families === 1 ? 'Setups of 1 family' : `Setups between ${families} families`,
    transport: 'Transport between machines takes time.',
    precedence: 'Orders have predecessors or waiting times.',
  },
  kept: (columns: string) => `Kept with the orders: ${columns}`,
  unknown: 'Not understood, and not kept:',
  dropped: (heading: string, file: string, reason: string) => `${heading} (${file}): ${reason}`,
  reasons: {
    'differs within an order': 'differs within an order',
    'is of a routing, not of an order': 'belongs to a routing, not to an order',
    'is empty': 'is empty',
  },
  caption: (shown: number, all: number) => `${shown} of ${plural(all, 'order')}`,
  table: { order: 'order', due: 'due', operations: 'operations', machines: 'machines' },
  about: {
    order: 'The name of the order',
    due: 'Its due date',
    operations: 'How many operations it has',
    machines: 'Its machines, in the order of its operations',
    detail: (heading: string) => `${heading}, as it is kept`,
  },
  name: 'Name of the shop (letters, digits, - and _)',
  clock: 'The time of the shop is the time of day',
  later: 'Time begins later than now: until then the shop has the time of the last report.',
  past: 'Time begins before now. Operations that the plan starts before now count as done.',
  open: 'Open the shop',
};

import * as z from 'zod'

export const TemplateHelper = z.object({
  name: z.string(),
  description: z.string(),
  block: z.literal(true).optional(),
  params: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
})
export type TemplateHelper = z.output<typeof TemplateHelper>

export const TemplateHelpersReply = z.object({ templating: z.object({ helpers: z.array(TemplateHelper) }) })

/** The helpers for templates in trigger defaults and subscriptions, in the documented order. */
export const templateHelpers: TemplateHelper[] = [
  { name: 'if', description: 'Renders the block when the value is truthy, else its {{else}} part.', block: true },
  { name: 'unless', description: 'Renders the block when the value is falsy, else its {{else}} part.', block: true },
  {
    name: 'each',
    description: 'Renders the block once for every item of a list or property of an object.',
    block: true,
  },
  { name: 'with', description: 'Renders the block with the value as its context.', block: true },
  {
    name: 'lookup',
    description: 'Gets a property or item of a value by a name or index that is known only at render time.',
  },
  {
    name: 'round',
    description: 'Rounds a number half away from zero, exactly on decimal strings; fixed keeps trailing zeros.',
    params: [
      { name: 'digits', type: 'number' },
      { name: 'fixed', type: 'boolean' },
    ],
  },
  {
    name: 'format',
    description: 'Shows an integer amount in whole units: divided by 10^decimals, without trailing zeros.',
    params: [{ name: 'decimals', type: 'number' }],
  },
  {
    name: 'substr',
    description: 'Takes a part of a text; a negative start counts from the end.',
    params: [
      { name: 'start', type: 'number' },
      { name: 'len', type: 'number' },
    ],
  },
  {
    name: 'address',
    description: 'Shows an address by its alias from the address book, else shortened as 0x1234…abcd.',
  },
  { name: 'make', description: 'Applies address to every address inside a value, at any depth.' },
  { name: 'includes', description: 'True if a list contains an item or a text contains another text.' },
  { name: 'lowercase', description: 'Converts a text to lower case.' },
  { name: 'uppercase', description: 'Converts a text to upper case.' },
  { name: 'titlecase', description: 'Converts the first letter of every word to upper case.' },
  { name: 'oneline', description: 'Joins the lines of a text into one.' },
  { name: 'yaml', description: 'Shows a value as YAML. Addresses of the address book have their aliases.' },
  {
    name: 'explorer',
    description:
      "Links to a transaction, an address or a block in the network's explorer; empty if the network has no explorer.",
  },
  {
    name: 'token',
    description:
      'Shows an amount in whole tokens with the symbol, as in 1.5 TKN, for the contract of the item or for token; token="native" is the native currency. decimals counts if the contract tells none; without it the amount says that they are unknown.',
    params: [
      { name: 'token', type: 'string' },
      { name: 'digits', type: 'number' },
      { name: 'decimals', type: 'number' },
    ],
  },
  {
    name: 'number',
    description:
      'Groups thousands, as in 1,234.5, and rounds to digits; fixed keeps trailing zeros. Without digits it rounds to 4 decimals, and keeps two digits of a small amount.',
    params: [
      { name: 'digits', type: 'number' },
      { name: 'fixed', type: 'boolean' },
    ],
  },
  { name: 'usd', description: 'Shows an amount of US dollars, as in $1,234.50.' },
  {
    name: 'eq',
    description: 'True if two values are equal, as in conditions: numbers by their value, texts without case.',
  },
  { name: 'gt', description: 'True if the first number is greater than the second, exactly, also for decimal texts.' },
  { name: 'lt', description: 'True if the first number is less than the second, exactly, also for decimal texts.' },
  { name: 'and', description: 'True if all values are truthy, as in {{#if (and (gt raw.a 1) raw.b)}}.' },
  { name: 'or', description: 'True if a value is truthy.' },
  { name: 'not', description: 'True if the value is falsy.' },
  {
    name: 'percent',
    description:
      'Shows a number of percent, as in 12.5%, rounded to digits (2); with of, how many percent of that number the value is.',
    params: [
      { name: 'digits', type: 'number' },
      { name: 'of', type: 'number' },
    ],
  },
  {
    name: 'duration',
    description:
      'Shows a time span in words, as in 3 hours 5 minutes: of milliseconds, of a duration such as 90m, or between two times.',
  },
  {
    name: 'block',
    description:
      'Shows a block number with grouped digits, and the link to the block if the network has an explorer; link=false leaves it out.',
    params: [{ name: 'link', type: 'boolean' }],
  },
  {
    name: 'name',
    description:
      'Names an address, a role, a function or another hash: by the address book, by its contract, or as everybody does (MINTER_ROLE, transfer); else shortened as 0x1234…abcd.',
  },
  {
    name: 'event',
    description:
      'Says a common event in words, as in Role MINTER_ROLE was granted to Treasury; another event by its name. The second value has its parameters.',
    params: [
      { name: 'name', type: 'string' },
      { name: 'params', type: 'object' },
    ],
  },
  {
    name: 'values',
    description: 'Lists the fields of a value for people, one a line: hashes by their names or short, numbers grouped.',
  },
  {
    name: 'decided',
    description:
      'Says what the policy of the subscription decided by, as in {{decided policy unit="ETH"}}: value, bound, change, count, time.',
    params: [
      { name: 'policy', type: 'object' },
      { name: 'unit', type: 'string' },
    ],
  },
]

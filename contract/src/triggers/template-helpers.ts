import * as z from 'zod'

export const TemplateHelper = z.object({
  name: z.string(),
  description: z.string(),
  block: z.literal(true).optional(),
  params: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
})
export type TemplateHelper = z.output<typeof TemplateHelper>

export const TemplateHelpersReply = z.object({ templating: z.object({ helpers: z.array(TemplateHelper) }) })

/** The helpers of trigger defaults and of subscriptions' action templates, in the order they are documented. */
export const templateHelpers: TemplateHelper[] = [
  { name: 'if', description: 'Renders the block when the value is truthy, else its {{else}} part.', block: true },
  { name: 'unless', description: 'Renders the block when the value is falsy, else its {{else}} part.', block: true },
  {
    name: 'each',
    description: 'Renders the block once for every item of a list or property of an object.',
    block: true,
  },
  { name: 'with', description: 'Renders the block with the value as its context.', block: true },
  { name: 'lookup', description: 'Takes a property or item of a value by a name or index known only at render time.' },
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
    description: 'Takes a part of a text; a negative start counts from its end.',
    params: [
      { name: 'start', type: 'number' },
      { name: 'len', type: 'number' },
    ],
  },
  {
    name: 'address',
    description: 'Shows an address by its alias from the address book, else shortened as 0x1234…abcd.',
  },
  { name: 'make', description: 'Does what address does for every address inside a value, however deep.' },
  { name: 'includes', description: 'Tells whether a list holds an item or a text holds another.' },
  { name: 'lowercase', description: 'Turns a text into lower case.' },
  { name: 'uppercase', description: 'Turns a text into upper case.' },
  { name: 'titlecase', description: 'Turns the first letter of every word into upper case.' },
  { name: 'oneline', description: 'Joins the lines of a text into one.' },
  { name: 'yaml', description: 'Shows a value as YAML.' },
]

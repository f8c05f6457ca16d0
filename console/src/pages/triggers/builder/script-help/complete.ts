import type { Complete, Proposal } from '../../../../editor/code-editor.tsx'
import type { Fields } from '../../model/definition.ts'

type Scope = { source: unknown; inputs: Fields; providers: Fields; raw?: unknown }

const helpers: Record<string, string> = {
  formatUnits: 'formatUnits(value, decimals): converts an integer amount to whole units',
  parseUnits: 'parseUnits(text, decimals): converts whole units to an integer amount',
  shorten: 'shorten(text): 0x1234…abcd',
  get: "get(value, 'a.b'): the value at a path, or undefined",
  toBigInt: 'toBigInt(value): converts to a bigint',
  lower: 'lower(text): converts to lower case',
  upper: 'upper(text): converts to upper case',
  number: 'number(value, digits): groups thousands, as in 1,234.5',
  usd: 'usd(value): $1,234.50',
  token: "token(amount, token): whole tokens with the symbol; token is a token_metadata result or 'native'",
  explorer: 'explorer(value): the link to a transaction, an address or a block, or null',
}

/** Completions from the sample: the properties of the value at the path before the cursor. */
export function completeFrom({ source, inputs, providers, raw }: Scope): Complete {
  const roots: Fields = { source, input: source, inputs, providers, ...(raw !== undefined && { raw, output: raw }) }
  return (before) => {
    if (before === '')
      return [...Object.keys(roots), 'helpers', 'console'].map((label) => ({ label, kind: 'variable' }))
    if (before === 'helpers.')
      return Object.entries(helpers).map(([label, info]) => ({ label, info, kind: 'function' }))
    return propertiesOf(valueAt(roots, before))
  }
}

function valueAt(roots: Fields, path: string): unknown {
  const steps = path.match(/[\w$]+/g) ?? []
  return steps.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    roots,
  )
}

function propertiesOf(value: unknown): Proposal[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return ['length', 'map', 'filter', 'find', 'some'].map((label) => ({ label }))
  return Object.entries(value).map(([label, held]) => ({ label, detail: brief(held) }))
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `array of ${value.length}`
  const text = typeof value === 'object' && value !== null ? 'object' : JSON.stringify(value)
  return text === undefined ? '' : text.length > 28 ? `${text.slice(0, 27)}…` : text
}

import { isObject } from '../../forms/json.ts'

const shownMax = 2
const lengthMax = 40

/** The first plain values of an output in one line: “amount 7, symbol ACME”. Undefined if it has none. */
export function shownValues(output: unknown): string | undefined {
  if (isPlain(output)) return cut(String(output))
  if (!isObject(output)) return undefined
  const plain = Object.entries(output).filter(([, value]) => isPlain(value) && value !== '')
  const shown = plain.slice(0, shownMax).map(([name, value]) => `${name} ${cut(String(value))}`)
  return shown.length === 0 ? undefined : shown.join(', ')
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** An address stays whole, because it is shown by its name. */
function cut(text: string): string {
  return text.length > lengthMax && !/^\w+$/.test(text) ? `${text.slice(0, lengthMax)}…` : text
}

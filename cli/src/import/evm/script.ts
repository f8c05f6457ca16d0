import type { Expression, PathStep } from './expression.ts'
import type { Variables } from './variables.ts'

/**
 * The rules by which OpenZeppelin Monitor compares values, as JavaScript for an activation. A comparison that it refuses
 * throws, and the whole expression is then false, as there.
 */
export const comparisonRules = `const fail = () => { throw new Error('cannot be compared') }
const kindOf = (value) => Array.isArray(value) ? 'array'
  : typeof value === 'boolean' ? 'bool'
  : typeof value === 'object' && value !== null ? 'tuple'
  : /^0x[0-9a-f]{40}$/i.test(String(value)) ? 'address'
  : /^-?\\d+$/.test(String(value)) ? 'int256' : 'string'
const flat = (value) => typeof value === 'object' && value !== null ? Object.values(value).flatMap(flat) : [String(value).toLowerCase()]
const bare = (text) => text.toLowerCase().replace(/[\\s"'()[\\]]/g, '')
const order = (a, op, b) => op === '==' ? a === b : op === '!=' ? a !== b : op === '>' ? a > b : op === '>=' ? a >= b : op === '<' ? a < b : op === '<=' ? a <= b : fail()
const equality = (same, op) => op === '==' ? same : op === '!=' ? !same : fail()
const compare = (value, given, op, literal) => {
  if (value === undefined) return fail()
  const kind = given ?? kindOf(value)
  const text = String(literal)
  if (/^u?int\\d*$/.test(kind)) return order(BigInt(value), op, BigInt(text))
  if (kind === 'bool') return typeof literal === 'boolean' ? equality(value === literal, op) : fail()
  if (kind === 'address') return equality(String(value).toLowerCase() === text.toLowerCase(), op)
  if (typeof value === 'object' && value !== null) {
    if (op === 'contains') return flat(value).includes(text.toLowerCase())
    return equality(flat(value).join(',') === bare(text), op)
  }
  const [a, b] = [String(value).toLowerCase(), text.toLowerCase()]
  return op === 'contains' ? a.includes(b) : op === 'starts_with' ? a.startsWith(b) : op === 'ends_with' ? a.endsWith(b) : equality(a === b, op)
}
const holds = (test) => { try { return test() } catch { return false } }`

/** An expression as JavaScript over `compare`. */
export function scriptOf(expression: Expression, variables: Variables): string {
  if ('parts' in expression) {
    const parts = expression.parts.map((part) => scriptOf(part, variables))
    if (expression.op === 'not') return `!(${parts.join(' && ')})`
    return `(${parts.join(expression.op === 'and' ? ' && ' : ' || ')})`
  }
  const { path, op, literal } = expression
  const [base, ...steps] = path
  const variable = variables.get(String(base))
  if (!variable) return 'fail()'
  const value = `${variable.script}${steps.map(stepText).join('')}`
  const kind = steps.length === 0 ? JSON.stringify(variable.kind) : 'undefined'
  const written = literal.type === 'boolean' ? String(literal.value) : JSON.stringify(literal.text)
  return `compare(${value}, ${kind}, ${JSON.stringify(op)}, ${written})`
}

function stepText(step: PathStep): string {
  return `?.[${JSON.stringify(step)}]`
}

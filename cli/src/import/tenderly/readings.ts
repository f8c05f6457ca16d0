import { Impossible } from '../importer.ts'
import { type Fields, operatorOf, requireText } from './fields.ts'

/** `value`: JavaScript that makes a decimal number or a text of `providers.data`; `holds`: 1 if a comparison holds. */
type Reading = { value: string; holds: string; policy: Fields }

/** The policy compares numbers, so addresses, booleans and fixed bytes are numbers too; changes of texts show in a sum. */
export function readingOf(condition: Fields, isDecoded: boolean): Reading {
  const type = String(condition.parameter_type ?? 'uint')
  const isText = /^(?:string|bytes|byte)$|\[/.test(type)
  if (condition.compare_change === true)
    return {
      value: isText ? sum : numberOf(type, isDecoded),
      holds: '0',
      policy: { type: 'change', value: 'value', by: 1 },
    }
  if (isText) return textReading(condition, type, isDecoded)
  const value = numberOf(type, isDecoded)
  if (condition.compare_percentage === true) return { value, holds: '0', policy: percentagePolicy(condition) }
  return numberReading(condition, value)
}

const sum =
  '[...JSON.stringify(providers.data)].reduce((sum, each) => (sum * 31n + BigInt(each.charCodeAt(0))) % 18446744073709551557n, 7n).toString()'

function numberOf(type: string, isDecoded: boolean): string {
  if (isDecoded) return 'BigInt(providers.data).toString()'
  const word = 'BigInt(providers.data.slice(0, 66))'
  return type.startsWith('int') ? `BigInt.asIntN(256, ${word}).toString()` : `${word}.toString()`
}

function percentagePolicy(condition: Fields): Fields {
  const operator = operatorOf(condition, '>=')
  const direction = operator.startsWith('>') ? 'up' : operator.startsWith('<') ? 'down' : 'any'
  return { type: 'change', value: 'value', by: `${requireText(condition, 'comparison_value')}%`, direction }
}

/** Crossing `==` means to go over or under the threshold: the end of the alert tells the way back. */
function numberReading(condition: Fields, value: string): Reading {
  const operator = operatorOf(condition)
  const bound = BigInt(numberText(condition.comparison_value))
  const bounds: Record<string, Fields> = {
    '>': { above: String(bound) },
    '>=': { above: String(bound - 1n) },
    '<': { below: String(bound) },
    '<=': { below: String(bound + 1n) },
    ...(condition.compare_threshold === true && { '==': { above: String(bound) } }),
  }
  const policy = bounds[operator]
  if (policy) return { value, holds: '0', policy: { type: 'threshold', value: 'value', ...policy } }
  if (operator !== '==' && operator !== '!=') throw new Impossible(`a number cannot be compared by ${operator}`)
  const test = `providers.value ${operator === '==' ? '===' : '!=='} '${bound}'`
  return { value, holds: `${test} ? 1 : 0`, policy: holdsPolicy }
}

const holdsPolicy = { type: 'threshold', value: 'holds', above: 0 }

/** A boolean is 0 or 1, and an address its number. */
function numberText(value: unknown): string {
  const text = typeof value === 'boolean' ? String(Number(value)) : String(value)
  const plain = text === 'true' ? '1' : text === 'false' ? '0' : text
  if (!/^(?:-?\d+|0x[0-9a-f]+)$/i.test(plain))
    throw new Impossible(`its comparison_value ${text} is not a whole number`)
  return plain
}

const textOfReturn =
  "decodeURIComponent(providers.data.slice(130, 130 + 2 * Number(BigInt('0x' + providers.data.slice(66, 130)))).replace(/../g, '%$&'))"
const bytesOfReturn = "'0x' + providers.data.slice(130, 130 + 2 * Number(BigInt('0x' + providers.data.slice(66, 130))))"

function textReading(condition: Fields, type: string, isDecoded: boolean): Reading {
  if (type.includes('[')) throw new Impossible('a list can only be watched for changes')
  const own = type === 'string' ? textOfReturn : bytesOfReturn
  const wanted = JSON.stringify(String(condition.comparison_value).toLowerCase())
  const found = 'providers.value.toLowerCase()'
  const tests: Record<string, string> = {
    '==': `${found} === ${wanted}`,
    '!=': `${found} !== ${wanted}`,
    contains: `${found}.includes(${wanted})`,
    notContains: `!${found}.includes(${wanted})`,
  }
  const operator = operatorOf(condition)
  const test = tests[operator]
  if (test === undefined) throw new Impossible(`a text cannot be compared by ${operator}`)
  return { value: isDecoded ? 'String(providers.data)' : own, holds: `${test} ? 1 : 0`, policy: holdsPolicy }
}

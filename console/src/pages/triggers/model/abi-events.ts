import { isObject } from '../../../forms/json.ts'
import type { Fields } from './definition.ts'

export type EventParameter = { name: string; type: string; isIndexed: boolean }
/** An event of an ABI. `fragment` is the part of the ABI that the trigger stores. */
export type FoundEvent = { name: string; parameters: EventParameter[]; fragment: unknown; isAnonymous: boolean }
export type Found = { events: FoundEvent[]; problem?: string }

/** Finds the events of an ABI: JSON, a compiler output with an `abi` field, or human-readable lines. */
export function eventsInAbi(pasted: unknown): Found {
  if (typeof pasted !== 'string') return fromJson(pasted)
  const text = pasted.trim()
  if (text === '') return { events: [] }
  if (!/^[[{"]/.test(text)) return fromLines(text)
  try {
    return fromJson(JSON.parse(text))
  } catch (error) {
    return { events: [], problem: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}` }
  }
}

function fromJson(value: unknown): Found {
  if (isObject(value) && Array.isArray(value.abi)) return fromJson(value.abi)
  if (typeof value === 'string') return fromLines(value)
  const items = Array.isArray(value) ? value : [value]
  const events = items.flatMap((item) => (typeof item === 'string' ? fromLines(item).events : fromItem(item)))
  return events.length > 0 ? { events } : { events, problem: 'The ABI contains no event.' }
}

function fromItem(item: unknown): FoundEvent[] {
  if (!isObject(item) || item.type !== 'event' || typeof item.name !== 'string') return []
  const inputs = Array.isArray(item.inputs) ? item.inputs.filter(isObject) : []
  return [
    { name: item.name, parameters: inputs.map(parameterOf), fragment: item, isAnonymous: item.anonymous === true },
  ]
}

function parameterOf({ name, type, indexed }: Fields, at: number): EventParameter {
  return {
    name: typeof name === 'string' && name !== '' ? name : `arg${at}`,
    type: typeof type === 'string' ? type : 'unknown',
    isIndexed: indexed === true,
  }
}

const line = /^(?:event\s+)?([A-Za-z_$][\w$]*)\s*\((.*)\)\s*(anonymous)?\s*;?$/s

function fromLines(text: string): Found {
  const events = text
    .split(/\n|(?<=;)/)
    .map((each) => each.trim())
    .filter((each) => each !== '' && !/^(function|error|struct|constructor|fallback|receive|\/\/)/.test(each))
    .flatMap(fromLine)
  return events.length > 0
    ? { events }
    : { events, problem: 'No event found. Write an event as: event Transfer(address indexed from, uint256 value)' }
}

function fromLine(text: string): FoundEvent[] {
  const [, name, inner = '', anonymous] = line.exec(text) ?? []
  if (name === undefined) return []
  const fragment = `event ${text.replace(/^event\s+/, '').replace(/;$/, '')}`
  return [{ name, parameters: splitTop(inner).map(readParameter), fragment, isAnonymous: anonymous !== undefined }]
}

/** Splits at commas outside of tuples. */
function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter !== ',' || depth > 0) continue
    parts.push(text.slice(start, at))
    start = at + 1
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}

function readParameter(text: string, at: number): EventParameter {
  const words = text.replace(/^tuple\s*/, '').match(/\([\s\S]*\)(?:\[\d*\])*|[^\s]+/g) ?? []
  const [type = 'unknown', ...rest] = words
  const name = rest.filter((word) => word !== 'indexed').at(-1)
  return { name: name ?? `arg${at}`, type, isIndexed: rest.includes('indexed') }
}

export function signatureOf({ name, parameters }: FoundEvent): string {
  const inner = parameters.map(({ type, isIndexed, name }) => `${type}${isIndexed ? ' indexed' : ''} ${name}`)
  return `${name}(${inner.join(', ')})`
}

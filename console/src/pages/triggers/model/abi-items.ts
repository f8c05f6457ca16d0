import { isObject } from '../../../forms/json.ts'
import type { Fields } from './definition.ts'

export type AbiParameter = { name: string; type: string; isIndexed: boolean }
export type AbiKind = 'event' | 'function'
/** An event or a function of an ABI. `fragment` is the part of the ABI that the trigger stores. */
export type AbiItem = { name: string; parameters: AbiParameter[]; fragment: unknown; isAnonymous: boolean }
export type Found = { items: AbiItem[]; problem?: string }

/** Finds the events or the functions of an ABI: JSON, a compiler output with an `abi` field, or human-readable lines. */
export function itemsInAbi(pasted: unknown, kind: AbiKind): Found {
  if (typeof pasted !== 'string') return fromJson(pasted, kind)
  const text = pasted.trim()
  if (text === '') return { items: [] }
  if (!/^[[{"]/.test(text)) return fromLines(text, kind)
  try {
    return fromJson(JSON.parse(text), kind)
  } catch (error) {
    return { items: [], problem: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}` }
  }
}

function fromJson(value: unknown, kind: AbiKind): Found {
  if (isObject(value) && Array.isArray(value.abi)) return fromJson(value.abi, kind)
  if (typeof value === 'string') return fromLines(value, kind)
  const parts = Array.isArray(value) ? value : [value]
  const items = parts.flatMap((part) => (typeof part === 'string' ? fromLines(part, kind).items : fromPart(part, kind)))
  return items.length > 0 ? { items } : { items, problem: `The ABI contains no ${kind}.` }
}

function fromPart(part: unknown, kind: AbiKind): AbiItem[] {
  if (!isObject(part) || part.type !== kind || typeof part.name !== 'string') return []
  const inputs = Array.isArray(part.inputs) ? part.inputs.filter(isObject) : []
  return [
    { name: part.name, parameters: inputs.map(parameterOf), fragment: part, isAnonymous: part.anonymous === true },
  ]
}

function parameterOf({ name, type, indexed }: Fields, at: number): AbiParameter {
  return {
    name: typeof name === 'string' && name !== '' ? name : `arg${at}`,
    type: typeof type === 'string' ? type : 'unknown',
    isIndexed: indexed === true,
  }
}

const examples: Record<AbiKind, string> = {
  event: 'event Transfer(address indexed from, uint256 value)',
  function: 'function transfer(address to, uint256 amount)',
}

function fromLines(text: string, kind: AbiKind): Found {
  const items = text
    .split(/\n|(?<=;)/)
    .map((each) => each.trim())
    .filter((each) => each !== '' && keywordOf(each, kind) === kind)
    .flatMap((each) => fromLine(each, kind))
  return items.length > 0
    ? { items }
    : {
        items,
        problem: `No ${kind} found. Write ${kind === 'event' ? 'an event' : 'a function'} as: ${examples[kind]}`,
      }
}

/** A line without a keyword is an item of the wanted kind. */
function keywordOf(line: string, kind: AbiKind): string {
  return /^(event|function|error|struct|constructor|fallback|receive|\/\/)/.exec(line)?.[1] ?? kind
}

function fromLine(text: string, kind: AbiKind): AbiItem[] {
  const line = text.replace(new RegExp(`^${kind}\\s+`), '').replace(/;$/, '')
  const [, name] = /^([A-Za-z_$][\w$]*)\s*\(/.exec(line) ?? []
  const start = line.indexOf('(')
  const end = closingOf(line, start)
  if (name === undefined || end === undefined) return []
  const rest = line.slice(end + 1).trim()
  if (kind === 'event' && rest !== '' && rest !== 'anonymous') return []
  const parameters = splitTop(line.slice(start + 1, end)).map(readParameter)
  return [{ name, parameters, fragment: `${kind} ${line}`, isAnonymous: rest === 'anonymous' }]
}

function closingOf(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at
  }
  return undefined
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

function readParameter(text: string, at: number): AbiParameter {
  const words = text.replace(/^tuple\s*/, '').match(/\([\s\S]*\)(?:\[\d*\])*|[^\s]+/g) ?? []
  const [type = 'unknown', ...rest] = words
  const name = rest.filter((word) => !/^(indexed|calldata|memory|storage|payable)$/.test(word)).at(-1)
  return { name: name ?? `arg${at}`, type, isIndexed: rest.includes('indexed') }
}

export function signatureOf({ name, parameters }: AbiItem): string {
  const inner = parameters.map(({ type, isIndexed, name }) => `${type}${isIndexed ? ' indexed' : ''} ${name}`)
  return `${name}(${inner.join(', ')})`
}

/** The item that a trigger names. The name selects it if the ABI contains several. */
export function chosenIn(abi: unknown, name: unknown, kind: AbiKind): AbiItem | undefined {
  const { items } = itemsInAbi(abi ?? '', kind)
  const bare = typeof name === 'string' ? name.replace(/\(.*$/s, '').trim() : undefined
  return items.find((item) => item.name === bare) ?? (items.length === 1 ? items[0] : undefined)
}

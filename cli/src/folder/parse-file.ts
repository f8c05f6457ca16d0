/** Reads YAML and JSON, and knows the line and the column of each value. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml'
import type { Problem } from '../failure.ts'
import { mapScalars, type Path } from './paths.ts'

export type Place = { line: number; column: number }
export type ParsedFile = {
  file: string
  text: string
  value: unknown
  /** Where the field begins, or the deepest part of the path that the file has. */
  placeOf(path: Path): Place
}
export type Parsed = { parsed: ParsedFile } | { problems: Problem[] }

type Nodes = Document.Parsed<ParsedNode>

/** With `keepsLargeNumbers`, hexadecimal numbers and numbers that are too large to be exact are read as their text. */
export function parseFile(file: string, text: string, { keepsLargeNumbers = false } = {}): Parsed {
  const lines = new LineCounter()
  const nodes = parseDocument(text, { lineCounter: lines, intAsBigInt: true, prettyErrors: false, uniqueKeys: false })
  if (keepsLargeNumbers) largeNumbersAsText(nodes)
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const wrong = file.endsWith('.json') ? jsonErrors(text) : []
  if (wrong.length > 0) return { problems: wrong.map((problem) => ({ file, ...problem })) }
  const errors = [...nodes.errors, ...repeatedKeys(nodes), ...nodes.warnings]
  if (errors.length > 0)
    return { problems: errors.map(({ message, pos }) => ({ file, ...placeAt(pos[0]), message: sentence(message) })) }
  const placeOf = (path: Path) => placeAt(offsetOf(nodes, path))
  const { value, problems } = plainValue(nodes)
  if (problems.length > 0)
    return { problems: problems.map(({ path, message }) => ({ file, ...placeOf(path), message })) }
  return { parsed: { file, text, value, placeOf } }
}

/** The check of the library compares each key with all before it: 20,000 keys would take ten seconds. */
function repeatedKeys(nodes: Nodes): { message: string; pos: [number] }[] {
  const repeated: { message: string; pos: [number] }[] = []
  visit(nodes, {
    Map(_key, { items }) {
      const seen = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const name = `${typeof key.value} ${String(key.value)}`
        if (seen.has(name) && name !== 'string <<')
          repeated.push({ message: 'Map keys must be unique', pos: [key.range?.[0] ?? 0] })
        seen.add(name)
      }
    },
  })
  return repeated
}

function largeNumbersAsText(nodes: Nodes): void {
  visit(nodes, {
    Scalar(_key, node) {
      if (typeof node.value !== 'bigint') return
      if (node.format === 'HEX' || !isExact(node.value)) node.value = node.source ?? String(node.value)
    },
  })
}

function isExact(integer: bigint): boolean {
  return Number.isSafeInteger(Number(integer)) && BigInt(Number(integer)) === integer
}

/** YAML allows more than JSON, so a JSON file is checked by the parser of JSON first. */
function jsonErrors(text: string): Problem[] {
  try {
    JSON.parse(text)
    return []
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
    const end = text.split('\n')
    const place = line
      ? { line: Number(line), column: Number(column) }
      : { line: end.length, column: (end.at(-1)?.length ?? 0) + 1 }
    return [{ ...place, message: sentence(message.replace(/ in JSON at position.*$/s, '')) }]
  }
}

function plainValue(nodes: Nodes): { value: unknown; problems: { path: Path; message: string }[] } {
  const problems: { path: Path; message: string }[] = []
  let found: unknown
  try {
    found = nodes.toJS()
  } catch (error) {
    return {
      value: undefined,
      problems: [{ path: [], message: sentence(error instanceof Error ? error.message : '') }],
    }
  }
  const value = mapScalars(found, (scalar, path) => {
    if (typeof scalar === 'bigint') {
      if (isExact(scalar)) return Number(scalar)
      problems.push({ path, message: `The number ${scalar} is too large to be exact: write it in quotes.` })
    }
    if (typeof scalar === 'number' && !Number.isFinite(scalar))
      problems.push({ path, message: `${scalar} is not a number of JSON.` })
    return scalar
  })
  return { value, problems }
}

/** The offset of the key at a path, or of the value if it has no key. */
function offsetOf(nodes: Nodes, path: Path): number {
  let node: unknown = nodes.contents
  let offset = nodes.contents?.range[0] ?? 0
  for (const key of path) {
    const holder = isAlias(node) ? node.resolve(nodes) : node
    if (isMap(holder)) {
      const pair = holder.items.find((each) => String(isScalar(each.key) ? each.key.value : each.key) === String(key))
      if (!pair) return offset
      if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
      node = pair.value
    } else if (isSeq(holder)) {
      node = holder.items[Number(key)]
      if (isScalar(node) || isMap(node) || isSeq(node)) offset = node.range?.[0] ?? offset
    } else return offset
  }
  return offset
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

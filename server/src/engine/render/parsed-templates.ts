import {
  type Block,
  type Call,
  type Expression,
  type Program,
  parseTemplate,
  type Statement,
} from './parse-template.ts'

type Parsed = ReturnType<typeof parseTemplate>

/** The cache holds parsed templates of at most this many characters in total. A subscription renders its templates for every alert. */
const charactersMax = 1_000_000
const cache = new Map<string, Parsed>()
let characters = 0

/** Returns the parsed template from the cache. Callers must not change it. */
export function parsedTemplate(text: string): Parsed {
  const known = cache.get(text)
  if (known) {
    cache.delete(text)
    cache.set(text, known)
    return known
  }
  const parsed = parseTemplate(text)
  cache.set(text, parsed)
  characters += text.length
  for (const oldest of cache.keys()) {
    if (characters <= charactersMax) break
    cache.delete(oldest)
    characters -= oldest.length
  }
  return parsed
}

/** Lists the calls of value helpers in a template, also those inside others. A template that cannot be parsed has none. */
export function findCalls(text: string): { name: string; call: Call }[] {
  if (!text.includes('{{')) return []
  const parsed = parsedTemplate(text)
  return parsed.ok ? callsOfProgram(parsed.program) : []
}

type Found = ReturnType<typeof findCalls>

function callsOfProgram(program: Program | undefined): Found {
  return (program?.body ?? []).flatMap(callsOfStatement)
}

function callsOfStatement(node: Statement): Found {
  if (node.type === 'MustacheStatement') return callsOf(node)
  return node.type === 'BlockStatement' ? callsOfBlock(node) : []
}

function callsOfBlock({ program, inverse, ...call }: Block): Found {
  return [...callsOf(call), ...callsOfProgram(program), ...callsOfProgram(inverse)]
}

function callsOf(call: Call): Found {
  const values = [...call.params, ...(call.hash?.pairs ?? []).map(({ value }) => value)]
  const name = call.path.type === 'PathExpression' ? call.path.original : ''
  const own = values.length > 0 ? [{ name, call }] : []
  return [...own, ...values.flatMap(callsOfExpression)]
}

function callsOfExpression(node: Expression): Found {
  return node.type === 'SubExpression' ? callsOf(node) : []
}

/**
 * Lists the paths into the data that a template names, as their segments. Inside `each` and `with` a path means another
 * value, so those are left out; so is a path with a part that is computed.
 */
export function findPaths(text: string): string[][] {
  if (!text.includes('{{')) return []
  const parsed = parsedTemplate(text)
  return parsed.ok ? pathsOfProgram(parsed.program) : []
}

function pathsOfProgram(program: Program | undefined): string[][] {
  return (program?.body ?? []).flatMap((node) => {
    if (node.type === 'MustacheStatement') return isCall(node) ? pathsOfCall(node) : pathsOf(node.path)
    if (node.type !== 'BlockStatement') return []
    const inside = opensScope(node) ? [] : pathsOfProgram(node.program)
    return [...pathsOfCall(node), ...inside, ...pathsOfProgram(node.inverse)]
  })
}

function isCall({ params, hash }: Call): boolean {
  return params.length > 0 || hash !== undefined
}

function opensScope({ path }: Block): boolean {
  return path.type === 'PathExpression' && (path.original === 'each' || path.original === 'with')
}

function pathsOfCall({ params, hash }: Call): string[][] {
  return [...params, ...(hash?.pairs ?? []).map(({ value }) => value)].flatMap(pathsOf)
}

function pathsOf(node: Expression): string[][] {
  if (node.type === 'SubExpression') return pathsOfCall(node)
  if (node.type !== 'PathExpression' || node.data || node.depth > 0) return []
  const names = node.parts.filter((part) => typeof part === 'string')
  return names.length === node.parts.length ? [names] : []
}

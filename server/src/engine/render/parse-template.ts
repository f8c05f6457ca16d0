import { parse } from '@handlebars/parser'
import { templateHelpers } from '@tocsin/contract'
import { explainParseError } from './explain-parse-error.ts'

export type Parsed = { ok: true; program: Program } | { ok: false; messages: string[] }

const blockHelpers = new Set(templateHelpers.filter((helper) => helper.block).map((helper) => helper.name))
const valueHelpers = new Set(templateHelpers.filter((helper) => !helper.block).map((helper) => helper.name))
const textMax = 20_000
const blocksMax = 200
const nestingMax = 16
/** `{{else if …}}` nests as well. */
const blockStart = /\{\{~?(?:[#^]|\s*else\s+\S)/

/** Parses Handlebars with the documented helpers only. Saving and rendering use the same rules. */
export function parseTemplate(text: string): Parsed {
  const tooLarge = explainTooLarge(text)
  if (tooLarge) return { ok: false, messages: [tooLarge] }
  try {
    const program: Program = parse(text)
    const messages = checkNode(program)
    return messages.length === 0 ? { ok: true, program } : { ok: false, messages }
  } catch (error) {
    return { ok: false, messages: [parseMessage(text, error)] }
  }
}

/** The parser's time grows with the square of the nesting, so a hostile template is refused before parsing. */
function explainTooLarge(text: string): string | undefined {
  if (text.length > textMax) return `must be at most ${textMax} characters`
  if (text.split(blockStart).length > blocksMax) return `must have at most ${blocksMax} blocks`
  const isTooDeep = text.split('{{').some((piece) => deepestOf(piece.split('}}', 1)[0] ?? '') > nestingMax)
  return isTooDeep ? `must not nest expressions deeper than ${nestingMax} levels` : undefined
}

function deepestOf(expression: string): number {
  let open = 0
  let deepest = 0
  for (const character of expression) {
    if (character === '(') deepest = Math.max(deepest, ++open)
    if (character === ')') open--
  }
  return deepest
}

function checkNode(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(checkNode)
  if (!isNode(node)) return []
  const message = explainNotAllowed(node)
  if (message) return [`${message} (line ${lineOf(node)})`]
  return Object.entries(node).flatMap(([field, inner]) => (field === 'loc' ? [] : checkNode(inner)))
}

function explainNotAllowed(node: Node): string | undefined {
  if (node.type.startsWith('Partial')) return 'partials are not available'
  if (node.type.startsWith('Decorator')) return 'decorators are not available'
  const name = nameOf(node.path)
  if (node.type === 'BlockStatement') return blockHelpers.has(name) ? undefined : `there is no block helper ${name}`
  const isCall = node.type === 'SubExpression' || (node.type === 'MustacheStatement' && hasArguments(node))
  if (!isCall || valueHelpers.has(name)) return undefined
  return blockHelpers.has(name) ? `${name} is a block helper: write {{#${name}}}` : `there is no helper ${name}`
}

function hasArguments(node: Node): boolean {
  return (Array.isArray(node.params) && node.params.length > 0) || isNode(node.hash)
}

type Node = Record<string, unknown> & { type: string }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameOf(path: unknown): string {
  return isNode(path) && typeof path.original === 'string' ? path.original.slice(0, 64) : 'here'
}

function lineOf(node: Node): number {
  const loc = node.loc as { start: { line: number } }
  return loc.start.line
}

function parseMessage(text: string, error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply'
  if (!(error instanceof Error)) throw error
  return explainParseError(text, error)
}

/** The nodes of @handlebars/parser that `parseTemplate` allows. */
export type Program = { body: Statement[]; blockParams?: string[] }

export type Statement =
  | { type: 'ContentStatement'; value: string }
  | { type: 'CommentStatement' }
  | ({ type: 'MustacheStatement' } & Call)
  | Block

export type Block = { type: 'BlockStatement'; program?: Program; inverse?: Program } & Call
export type Call = { path: Expression; params: Expression[]; hash?: Hash }
export type Hash = { pairs: { key: string; value: Expression }[] }

export type Expression =
  | Path
  | ({ type: 'SubExpression' } & Call)
  | { type: 'StringLiteral'; value: string }
  | { type: 'NumberLiteral'; value: number }
  | { type: 'BooleanLiteral'; value: boolean }
  | { type: 'NullLiteral' }
  | { type: 'UndefinedLiteral' }

export type Path = {
  type: 'PathExpression'
  /** `@name` */
  data: boolean
  /** The number of `../` before the path. */
  depth: number
  parts: (string | Expression)[]
  original: string
}

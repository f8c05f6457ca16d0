/**
 * Says in words why a template cannot be parsed. The parser names grammar tokens and no place that a person could find,
 * so the text is scanned again for its tags: first for tags that are not closed, then for blocks that do not match, and
 * last for the tag that holds the place of the parser's error. The cost is linear in the length of the text.
 */
import { blockProblem } from './template-blocks.ts'
import { type Place, placeAt, readTags, type Tag } from './template-tags.ts'

const shownMax = 60

export function explainParseError(text: string, error: Error): string {
  const { tags, problem } = readTags(text)
  return problem ?? blockProblem(tags) ?? tagProblem(text, tags, error)
}

function tagProblem(text: string, tags: Tag[], error: Error): string {
  const place = placeOf(error)
  const tag = place && tags.findLast(({ at }) => isUpTo(at, place))
  if (!tag) return `the template cannot be read${place ? ` at line ${place.line}, column ${place.column}` : ''}`
  const shown = shorten(text.slice(tag.start, tag.end))
  if (tag.body === '') return `\`${shown}\` at ${placeAt(tag.at)} is empty: write a path such as \`{{raw.value}}\``
  const near = tokenOf(error)
  return `\`${shown}\` at ${placeAt(tag.at)} cannot be read${near}: write a path, or a helper and its values`
}

type ParserError = {
  hash?: { text?: string; token?: string | null; loc?: { last_line: number; last_column: number } }
  lineNumber?: number
  column?: number
}

/** The grammar's errors end where the last good token ended; the others name the start of a node. */
function placeOf(error: Error & ParserError): Place | undefined {
  const loc = error.hash?.loc
  if (loc) return { line: loc.last_line, column: loc.last_column + 1 }
  const { lineNumber, column } = error
  return lineNumber === undefined || column === undefined ? undefined : { line: lineNumber, column: column + 1 }
}

function tokenOf(error: Error & ParserError): string {
  const { text = '', token } = error.hash ?? {}
  return token === 'INVALID' && text.trim() !== '' ? ` near \`${shorten(text)}\`` : ''
}

function isUpTo(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line
}

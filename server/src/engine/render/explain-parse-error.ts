/**
 * Explains why a template cannot be parsed. The parser names grammar tokens but no useful position, so this scans the text
 * for its tags: first for tags that are not closed, then for blocks that do not match, and last for the tag at the
 * position of the parser's error. The cost is linear in the length of the text.
 */
import { blockProblem } from './template-blocks.ts'
import { readTags, showPosition, type Tag, type TextPosition } from './template-tags.ts'

const shownMax = 60

export function explainParseError(text: string, error: Error): string {
  const { tags, problem } = readTags(text)
  return problem ?? blockProblem(tags) ?? tagProblem(text, tags, error)
}

function tagProblem(text: string, tags: Tag[], error: Error): string {
  const position = positionOf(error)
  const tag = position && tags.findLast(({ at }) => isUpTo(at, position))
  if (!tag)
    return `the template cannot be read${position ? ` at line ${position.line}, column ${position.column}` : ''}`
  const tagText = shorten(text.slice(tag.start, tag.end))
  if (tag.body === '')
    return `\`${tagText}\` at ${showPosition(tag.at)} is empty: write a path such as \`{{raw.value}}\``
  const near = tokenOf(error)
  return `\`${tagText}\` at ${showPosition(tag.at)} cannot be read${near}: write a path, or a helper and its values`
}

type ParserError = {
  hash?: { text?: string; token?: string | null; loc?: { last_line: number; last_column: number } }
  lineNumber?: number
  column?: number
}

/** A grammar error has the end of the last good token; other errors have the start of a node. */
function positionOf(error: Error & ParserError): TextPosition | undefined {
  const loc = error.hash?.loc
  if (loc) return { line: loc.last_line, column: loc.last_column + 1 }
  const { lineNumber, column } = error
  return lineNumber === undefined || column === undefined ? undefined : { line: lineNumber, column: column + 1 }
}

function tokenOf(error: Error & ParserError): string {
  const { text = '', token } = error.hash ?? {}
  return token === 'INVALID' && text.trim() !== '' ? ` near \`${shorten(text)}\`` : ''
}

function isUpTo(a: TextPosition, b: TextPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line
}

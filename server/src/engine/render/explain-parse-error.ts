/**
 * Explains why a template cannot be parsed. The parser names grammar tokens but no useful position, so this scans the text
 * for its tags: first for tags that are not closed, then for blocks that do not match, and last for the tag at the
 * position of the parser's error. The cost is linear in the length of the text.
 */

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

type Open = { tag: Tag; name: string; hasElse: boolean }

/** Finds the first `{{#…}}`, `{{else}}` or `{{/…}}` without a partner. */
function blockProblem(tags: Tag[]): string | undefined {
  const open: Open[] = []
  for (const tag of tags) {
    const problem = step(open, tag)
    if (problem !== undefined) return problem
  }
  const last = open.at(-1)
  return last && `\`{{#${last.name}}}\` at ${showPosition(last.tag.at)} is never closed: add \`{{/${last.name}}}\``
}

function step(open: Open[], tag: Tag): string | undefined {
  const [sign, name] = signOf(tag.body)
  if (sign === 'else') return elseProblem(open.at(-1), tag)
  if (sign === '#' || sign === '^') open.push({ tag, name, hasElse: false })
  return sign === '/' ? closeProblem(open.pop(), tag, name) : undefined
}

function elseProblem(block: Open | undefined, { at, body }: Tag): string | undefined {
  if (!block) return `\`{{else}}\` at ${showPosition(at)} belongs to no block`
  if (block.hasElse) return `\`{{else}}\` at ${showPosition(at)} is the second of its block \`{{#${block.name}}}\``
  // Another `{{else}}` may follow `{{else if …}}`, but none may follow a bare `{{else}}`.
  block.hasElse = body === 'else' || body === '^'
  return undefined
}

function closeProblem(block: Open | undefined, { at }: Tag, name: string): string | undefined {
  if (!block) return `\`{{/${name}}}\` at ${showPosition(at)} closes no block`
  if (block.name === name) return undefined
  return `\`{{/${name}}}\` at ${showPosition(at)} does not close \`{{#${block.name}}}\` at ${showPosition(block.tag.at)}`
}

function signOf(body: string): [sign: string, name: string] {
  if (body === '^' || /^else\b/.test(body)) return ['else', '']
  const [, sign = '', name = ''] = /^([#^/])[>*]?\s*([^\s}]*)/.exec(body) ?? []
  return [sign, name.slice(0, 40)]
}

/** Finds the tags of a template, `{{…}}` and `{{{…}}}`, with their positions. The scan reads every character once. */

/** Both count from 1. */
type TextPosition = { line: number; column: number }
/** `body` is the text between the braces, without `~` and outer spaces. `end` is the offset after the last brace. */
type Tag = { at: TextPosition; start: number; end: number; body: string }
type Tags = { tags: Tag[]; problem?: string }
type End = { end: number } | { problem: string }

function showPosition({ line, column }: TextPosition): string {
  return `line ${line}, column ${column}`
}

/** Stops at the first tag whose closing braces do not match its opening braces. */
function readTags(text: string): Tags {
  const tags: Tag[] = []
  const positionAt = makePositionReader(text)
  let from = 0
  for (;;) {
    const start = text.indexOf('{{', from)
    if (start < 0) return { tags }
    if (isEscaped(text, start)) {
      from = start + 2
      continue
    }
    const at = positionAt(start)
    const tagEnd = endOf(text, start, at)
    if ('problem' in tagEnd) return { tags, problem: tagEnd.problem }
    tags.push({ at, start, end: tagEnd.end, body: bodyOf(text.slice(start, tagEnd.end)) })
    from = tagEnd.end
  }
}

/** The offsets must ascend, so that each character is counted once. */
function makePositionReader(text: string): (offset: number) => TextPosition {
  let line = 1
  let lineStart = 0
  let next = text.indexOf('\n')
  return (offset) => {
    while (next >= 0 && next < offset) {
      line++
      lineStart = next + 1
      next = text.indexOf('\n', lineStart)
    }
    return { line, column: offset - lineStart + 1 }
  }
}

/** `\{{` is text; `\\{{` is a backslash and a tag. */
function isEscaped(text: string, start: number): boolean {
  return text[start - 1] === '\\' && text[start - 2] !== '\\'
}

function endOf(text: string, start: number, at: TextPosition): End {
  if (text.startsWith('{{!--', start)) return endOfComment(text, start, at, '--}}')
  if (text.startsWith('{{!', start)) return endOfComment(text, start, at, '}}')
  const open = text.startsWith('{{{', start) ? '{{{' : '{{'
  for (let offset = start + open.length; offset < text.length; offset++) {
    const letter = text[offset]
    if (letter === '"' || letter === "'") {
      const close = text.indexOf(letter, offset + 1)
      if (close < 0) return { problem: `the quote in the expression at ${showPosition(at)} is never closed` }
      offset = close
    } else if (text.startsWith('{{', offset)) break
    else if (text.startsWith('}}', offset)) return closedBy(text, offset, { open, at })
  }
  return { problem: `\`${open}\` at ${showPosition(at)} is never closed` }
}

function closedBy(text: string, offset: number, { open, at }: { open: string; at: TextPosition }): End {
  const close = text.startsWith('}}}', offset) ? '}}}' : '}}'
  if (close.length === open.length) return { end: offset + close.length }
  const wanted = '}'.repeat(open.length)
  return { problem: `\`${open}\` at ${showPosition(at)} is closed by \`${close}\`: write \`${wanted}\`` }
}

function endOfComment(text: string, start: number, at: TextPosition, close: string): End {
  const offset = text.indexOf(close, start)
  return offset < 0
    ? { problem: `the comment at ${showPosition(at)} is never closed: end it with \`${close}\`` }
    : { end: offset + close.length }
}

function bodyOf(tag: string): string {
  let [start, end] = [0, tag.length]
  while (tag[start] === '{') start++
  while (end > start && tag[end - 1] === '}') end--
  if (tag[start] === '~') start++
  if (end > start && tag[end - 1] === '~') end--
  return tag.slice(start, end).trim()
}

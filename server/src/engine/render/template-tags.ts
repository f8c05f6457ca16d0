/** Finds the tags of a template, `{{…}}` and `{{{…}}}`, with their positions. The scan reads every character once. */

/** Both count from 1. */
export type TextPosition = { line: number; column: number }
/** `body` is the text between the braces, without `~` and outer spaces. `end` is the offset after the last brace. */
export type Tag = { at: TextPosition; start: number; end: number; body: string }
export type Tags = { tags: Tag[]; problem?: string }
type End = { end: number } | { problem: string }

export function showPosition({ line, column }: TextPosition): string {
  return `line ${line}, column ${column}`
}

/** Stops at the first tag whose closing braces do not match its opening braces. */
export function readTags(text: string): Tags {
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

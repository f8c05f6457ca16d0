/** Finds the tags of a template, `{{…}}` and `{{{…}}}`, with their places. The scan reads every character once. */

/** Both count from 1. */
export type Place = { line: number; column: number }
/** `body` is what stands between the braces, without `~` and outer spaces; `end` is the offset after the last brace. */
export type Tag = { at: Place; start: number; end: number; body: string }
export type Tags = { tags: Tag[]; problem?: string }
type End = { end: number } | { problem: string }

export function placeAt({ line, column }: Place): string {
  return `line ${line}, column ${column}`
}

/** Reading stops at the first tag that is not closed as it was opened. */
export function readTags(text: string): Tags {
  const tags: Tag[] = []
  const places = placeReader(text)
  let from = 0
  for (;;) {
    const start = text.indexOf('{{', from)
    if (start < 0) return { tags }
    if (isEscaped(text, start)) {
      from = start + 2
      continue
    }
    const at = places(start)
    const found = endOf(text, start, at)
    if ('problem' in found) return { tags, problem: found.problem }
    tags.push({ at, start, end: found.end, body: bodyOf(text.slice(start, found.end)) })
    from = found.end
  }
}

/** Offsets are asked for in rising order, so that each character is counted once. */
function placeReader(text: string): (offset: number) => Place {
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

function endOf(text: string, start: number, at: Place): End {
  if (text.startsWith('{{!--', start)) return endOfComment(text, start, at, '--}}')
  if (text.startsWith('{{!', start)) return endOfComment(text, start, at, '}}')
  const open = text.startsWith('{{{', start) ? '{{{' : '{{'
  for (let offset = start + open.length; offset < text.length; offset++) {
    const letter = text[offset]
    if (letter === '"' || letter === "'") {
      const close = text.indexOf(letter, offset + 1)
      if (close < 0) return { problem: `the quote in the expression at ${placeAt(at)} is never closed` }
      offset = close
    } else if (text.startsWith('{{', offset)) break
    else if (text.startsWith('}}', offset)) return closedBy(text, offset, { open, at })
  }
  return { problem: `\`${open}\` at ${placeAt(at)} is never closed` }
}

function closedBy(text: string, offset: number, { open, at }: { open: string; at: Place }): End {
  const close = text.startsWith('}}}', offset) ? '}}}' : '}}'
  if (close.length === open.length) return { end: offset + close.length }
  const wanted = '}'.repeat(open.length)
  return { problem: `\`${open}\` at ${placeAt(at)} is closed by \`${close}\`: write \`${wanted}\`` }
}

function endOfComment(text: string, start: number, at: Place, close: string): End {
  const found = text.indexOf(close, start)
  return found < 0
    ? { problem: `the comment at ${placeAt(at)} is never closed: end it with \`${close}\`` }
    : { end: found + close.length }
}

function bodyOf(tag: string): string {
  return tag
    .replace(/^\{+~?/, '')
    .replace(/~?\}+$/, '')
    .trim()
}

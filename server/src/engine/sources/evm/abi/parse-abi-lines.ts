import { expandsTooFar } from '../../../base/type-expansion.ts'

const keywords = /^(?:event|function|error|struct|constructor|fallback|receive)\b/
const linesMax = 500
const lineMax = 4000
const anonymousMark = /\)\s*anonymous$/

/**
 * Converts human-readable ABI lines to JSON ABI items. A line without a keyword is read as `expected`. ox is loaded with the
 * first such ABI, which saves memory on servers without any. ox does not know the mark `anonymous`, so this code removes it
 * from the line and adds it to the item.
 */
export async function parseAbiLines(text: readonly string[], expected: string): Promise<readonly unknown[]> {
  const lines = text.map((line) => completeLine(line, expected)).filter((line) => line !== '')
  if (lines.length === 0) return []
  if (lines.length > linesMax || lines.some((line) => line.length > lineMax))
    throw new Error('too many or too long lines')
  if (expandsTooFar(structReferences(lines)))
    throw new Error('its structs contain themselves or are too large when expanded')
  const Abi = await import('ox/Abi')
  const items: readonly object[] = Abi.from(lines.map((line) => line.replace(anonymousMark, ')')))
  const itemLines = lines.filter((line) => !line.startsWith('struct'))
  return items.map((item, index) => (isAnonymous(itemLines[index] ?? '') ? { ...item, anonymous: true } : item))
}

function completeLine(line: string, expected: string): string {
  const bare = line.trim().replace(/\s*;$/, '')
  return bare === '' || keywords.test(bare) ? bare : `${expected} ${bare}`
}

function isAnonymous(line: string): boolean {
  return line.startsWith('event') && anonymousMark.test(line)
}

function structReferences(lines: readonly string[]): Map<string, string[]> {
  const structs = lines
    .map((line) => /^\s*struct\s+([\w$]+)\s*\{(.*)\}/s.exec(line))
    .filter((struct) => struct !== null)
  return new Map(structs.map(([, name = '', body = '']) => [name, memberTypes(body)]))
}

function memberTypes(body: string): string[] {
  return body.split(';').flatMap((member) => /[\w$]+/.exec(member)?.[0] ?? [])
}

/**
 * The expressions of OpenZeppelin Monitor and Defender: comparisons joined by AND and OR (AND binds stronger), with
 * parentheses and, in Defender, NOT. Words of the language have any case.
 */
export type Expression = { op: 'and' | 'or' | 'not'; parts: Expression[] } | Comparison
export type Comparison = { path: PathStep[]; op: Operator; literal: Literal }
export type PathStep = string | number
export type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | 'contains' | 'starts_with' | 'ends_with'
export type Literal = { type: 'text' | 'number'; text: string } | { type: 'boolean'; value: boolean }

export class ExpressionError extends Error {}

type Token = { kind: 'word' | 'text' | 'symbol'; text: string; at: number }

const symbols = ['==', '!=', '>=', '<=', '=', '>', '<', '(', ')', '[', ']', '.']
const comparisons = ['==', '!=', '>', '>=', '<', '<=', 'contains', 'starts_with', 'ends_with'] as const
const keywords = new Set(['true', 'false', 'and', 'or', 'contains', 'starts_with', 'ends_with'])

export function parseExpression(text: string): Expression {
  const reader = new Reader(tokensOf(text), text.length)
  const expression = readOr(reader)
  if (reader.peek()) throw reader.unexpected('AND, OR or the end')
  return expression
}

function readOr(reader: Reader): Expression {
  return readJoined(reader, 'or', () => readJoined(reader, 'and', () => readTerm(reader)))
}

function readJoined(reader: Reader, op: 'and' | 'or', readPart: () => Expression): Expression {
  const parts = [readPart()]
  while (reader.takeWord(op)) parts.push(readPart())
  const [only] = parts
  return parts.length === 1 && only ? only : { op, parts }
}

function readTerm(reader: Reader): Expression {
  if (reader.takeWord('not')) return { op: 'not', parts: [readTerm(reader)] }
  if (!reader.takeSymbol('(')) return readComparison(reader)
  const inner = readOr(reader)
  if (!reader.takeSymbol(')')) throw reader.unexpected(')')
  return inner
}

function readComparison(reader: Reader): Comparison {
  const path = readPath(reader)
  const token = reader.next('a comparison')
  const op = token.text === '=' ? '==' : comparisons.find((known) => known === token.text.toLowerCase())
  if (!op || token.kind === 'text') throw reader.unexpected('a comparison', token)
  return { path, op, literal: readLiteral(reader) }
}

function readPath(reader: Reader): PathStep[] {
  const base = reader.next('a name')
  if (base.kind !== 'word' || keywords.has(base.text.toLowerCase())) throw reader.unexpected('a name', base)
  const path: PathStep[] = [base.text]
  for (;;) {
    if (reader.takeSymbol('.')) path.push(reader.next('a name').text)
    else if (reader.takeSymbol('[')) {
      const index = reader.next('an index')
      if (!/^\d+$/.test(index.text) || !reader.takeSymbol(']')) throw reader.unexpected('an index', index)
      path.push(Number(index.text))
    } else return path
  }
}

function readLiteral(reader: Reader): Literal {
  const token = reader.next('a value')
  if (token.kind === 'text') return { type: 'text', text: token.text }
  if (token.kind === 'symbol') throw reader.unexpected('a value', token)
  if (token.text === 'true' || token.text === 'false') return { type: 'boolean', value: token.text === 'true' }
  if (/^[+-]?\d+$/.test(token.text)) return { type: 'number', text: token.text + readFraction(reader) }
  if (keywords.has(token.text.toLowerCase())) throw reader.unexpected('a value', token)
  return { type: 'text', text: token.text }
}

function readFraction(reader: Reader): string {
  if (!reader.takeSymbol('.')) return ''
  const digits = reader.next('digits')
  if (!/^\d+$/.test(digits.text)) throw reader.unexpected('digits', digits)
  return `.${digits.text}`
}

class Reader {
  private readonly tokens: Token[]
  private readonly end: number
  private position = 0

  constructor(tokens: Token[], end: number) {
    this.tokens = tokens
    this.end = end
  }

  peek(): Token | undefined {
    return this.tokens[this.position]
  }

  next(wanted: string): Token {
    const token = this.peek()
    if (!token) throw this.unexpected(wanted)
    this.position += 1
    return token
  }

  takeSymbol(text: string): boolean {
    return this.takeIf((token) => token.kind === 'symbol' && token.text === text)
  }

  takeWord(text: string): boolean {
    return this.takeIf((token) => token.kind === 'word' && token.text.toLowerCase() === text)
  }

  private takeIf(fits: (token: Token) => boolean): boolean {
    const token = this.peek()
    if (!token || !fits(token)) return false
    this.position += 1
    return true
  }

  unexpected(wanted: string, token: Token | undefined = this.peek()): ExpressionError {
    const where = `at character ${(token?.at ?? this.end) + 1}`
    return new ExpressionError(`expected ${wanted} ${where}${token ? `, found ${token.text}` : ''}`)
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const token = /\s/.test(text[at] ?? '') ? undefined : tokenAt(text, at)
    if (token) tokens.push({ kind: token.kind, text: token.text, at })
    at += token?.length ?? 1
  }
  return tokens
}

function tokenAt(text: string, at: number): { kind: Token['kind']; text: string; length: number } {
  const rest = text.slice(at)
  const quoted = /^(['"])((?:\\.|(?!\1)[^\\])*)\1/s.exec(rest)
  if (quoted) return { kind: 'text', text: unescapeQuotes(quoted[2] ?? ''), length: quoted[0].length }
  const symbol = symbols.find((each) => rest.startsWith(each))
  if (symbol) return { kind: 'symbol', text: symbol, length: symbol.length }
  const word = /^[+-]?[A-Za-z0-9_$][A-Za-z0-9_-]*/.exec(rest)?.[0]
  if (word === undefined) throw new ExpressionError(`cannot read ${JSON.stringify(rest[0])} at character ${at + 1}`)
  return { kind: 'word', text: word, length: word.length }
}

function unescapeQuotes(text: string): string {
  return text.replaceAll(/\\(['"\\])/g, '$1')
}

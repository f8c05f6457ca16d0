import type { Issue } from '@tocsin/contract'
import { type Expression, type Options, parse, parseExpressionAt, type Token, tokenizer, tokTypes } from 'acorn'

const options: Options = { ecmaVersion: 2024, sourceType: 'script', allowReturnOutsideFunction: true }

type Failure = { ok: false; at: number; message: string }
type Attempt<T> = { ok: true; value: T } | Failure

/** Syntax only, nothing runs: a bare expression, a body with `return`, or a function of one context object. */
export function checkScript(source: string, path: string): Issue[] {
  const message = whyNotScript(source)
  return message ? [{ path, message }] : []
}

function whyNotScript(source: string): string | undefined {
  if (source.trim() === '') return 'is empty'
  const asExpression = attempt(source, () => readExpression(source))
  if (!asExpression.ok) {
    const asBody = attempt(source, () => parse(source, options))
    if (!asBody.ok) return whatWasMeant(asExpression, asBody).message
  } else if (takesMany(asExpression.value)) return 'a function takes one context object'
  return whyModule(source)
}

/** The attempt that got further is the one that was meant; but a module statement is one, whatever follows it. */
function whatWasMeant(asExpression: Failure, asBody: Failure): Failure {
  if (asBody.message.includes('sourceType')) return { ...asBody, message: 'import and export are not available' }
  return asExpression.at > asBody.at ? asExpression : asBody
}

function readExpression(source: string): Expression {
  const expression = parseExpressionAt(source, 0, options)
  requireEnd(source, expression.end)
  return expression
}

function takesMany(expression: Expression): boolean {
  const isFunction = expression.type === 'ArrowFunctionExpression' || expression.type === 'FunctionExpression'
  return isFunction && expression.params.length > 1
}

/** An expression may be followed by a semicolon and comments, and by nothing else. */
function requireEnd(source: string, end: number): void {
  const rest = tokenizer(source.slice(end), options)
  let token = rest.getToken()
  if (token.type === tokTypes.semi) token = rest.getToken()
  if (token.type === tokTypes.eof) return
  throw Object.assign(new SyntaxError('Unexpected token'), {
    pos: end + token.start,
    loc: lineOf(source, end + token.start),
  })
}

/** There is no module loader in the sandbox: `import()` and `import.meta` parse in a script, but can never work. */
function whyModule(source: string): string | undefined {
  let before: Token | undefined
  let at: Token | undefined
  for (const token of tokensOf(source)) {
    const isProperty = before?.type === tokTypes.dot || before?.type === tokTypes.questionDot
    const isModule =
      at?.type === tokTypes._import && !isProperty && (token.type === tokTypes.parenL || token.type === tokTypes.dot)
    if (at && isModule) return failure(source, at.start, 'import is not available', undefined).message
    before = at
    at = token
  }
  return undefined
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  try {
    for (const token of tokenizer(source, options)) tokens.push(token)
  } catch {
    // The parser knows more than the tokenizer about where a regular expression may begin; it has accepted the source.
  }
  return tokens
}

type Place = { line: number; column: number }

/** acorn tells where it stopped; nesting that outgrows the stack, in it or in a regular expression, ends here too. */
function attempt<T>(source: string, run: () => T): Attempt<T> {
  try {
    return { ok: true, value: run() }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, at: source.length, message: 'is nested too deeply' }
    if (!(error instanceof SyntaxError)) throw error
    const { pos, loc } = error as SyntaxError & { pos?: number; loc?: Place }
    return failure(source, pos ?? 0, error.message.replace(/ \(\d+:\d+\)$/, ''), loc)
  }
}

function failure(source: string, at: number, message: string, place: Place | undefined): Failure {
  const { line, column } = place ?? lineOf(source, at)
  return { ok: false, at, message: `${message.slice(0, 200)} at line ${line}, column ${column + 1}` }
}

function lineOf(source: string, at: number): Place {
  const lines = source.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/)
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 }
}

import { type Expression, type Options, parse, parseExpressionAt, type Token, tokenizer, tokTypes } from 'acorn'

const options: Options = {
  ecmaVersion: 2024,
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  preserveParens: true,
}

export type SourcePosition = { line: number; column: number }

/** The syntactic form of a script. `end` is the end of its expression, before a last semicolon and comments. */
export type ScriptForm =
  | { form: 'expression'; end: number }
  | { form: 'function'; end: number }
  | { form: 'body' }
  | { form: 'invalid'; message: string; position?: SourcePosition }

type Failure = { ok: false; at: number; message: string; position: SourcePosition }
type Attempt<T> = { ok: true; value: T } | Failure

/** Parses a script without running it: a bare expression, a body with `return`, or a function of one context object. */
export function readScriptForm(source: string): ScriptForm {
  if (source.trim() === '') return { form: 'invalid', message: 'is empty' }
  const asExpression = attempt(source, () => readExpression(source))
  if (asExpression.ok) return findImport(source) ?? formOf(asExpression.value)
  const asBody = attempt(source, () => parse(source, options))
  if (!asBody.ok) return invalidAt(chooseFailure(asExpression, asBody))
  return findImport(source) ?? { form: 'body' }
}

function formOf(expression: Expression): ScriptForm {
  let inner = expression
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression
  if (inner.type !== 'ArrowFunctionExpression' && inner.type !== 'FunctionExpression')
    return { form: 'expression', end: expression.end }
  if (inner.params.length > 1) return { form: 'invalid', message: 'a function takes one context object' }
  return { form: 'function', end: expression.end }
}

/** Reports the attempt that parsed further, since the author probably meant that form. A module statement is always reported. */
function chooseFailure(asExpression: Failure, asBody: Failure): Failure {
  if (asBody.message.includes('sourceType')) return { ...asBody, message: 'import and export are not available' }
  return asExpression.at > asBody.at ? asExpression : asBody
}

function readExpression(source: string): Expression {
  const expression = parseExpressionAt(source, 0, options)
  requireEnd(source, expression.end)
  return expression
}

/** An expression may be followed by a semicolon and comments, and by nothing else. */
function requireEnd(source: string, end: number): void {
  const rest = tokenizer(source.slice(end), options)
  let token = rest.getToken()
  if (token.type === tokTypes.semi) token = rest.getToken()
  if (token.type === tokTypes.eof) return
  const pos = end + token.start
  throw Object.assign(new SyntaxError('Unexpected token'), { pos })
}

/** There is no module loader in the sandbox: `import()` and `import.meta` parse in a script, but can never work. */
function findImport(source: string): ScriptForm | undefined {
  let before: Token | undefined
  let at: Token | undefined
  for (const token of tokensOf(source)) {
    const isProperty = before?.type === tokTypes.dot || before?.type === tokTypes.questionDot
    const isModule =
      at?.type === tokTypes._import && !isProperty && (token.type === tokTypes.parenL || token.type === tokTypes.dot)
    if (at && isModule) return invalidAt({ message: 'import is not available', position: positionOf(source, at.start) })
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
    // The tokenizer alone cannot always tell a division from a regular expression. The parser has accepted the source.
  }
  return tokens
}

/** acorn throws a SyntaxError with a position, or a RangeError if deep nesting overflows the stack. */
function attempt<T>(source: string, run: () => T): Attempt<T> {
  try {
    return { ok: true, value: run() }
  } catch (error) {
    if (error instanceof RangeError) return failure(source, source.length, 'is nested too deeply', undefined)
    if (!(error instanceof SyntaxError)) throw error
    const { pos, loc } = error as SyntaxError & { pos?: number; loc?: SourcePosition }
    return failure(source, pos ?? 0, error.message.replace(/ \(\d+:\d+\)$/, ''), loc)
  }
}

function failure(source: string, at: number, message: string, loc: SourcePosition | undefined): Failure {
  const position = loc ? { line: loc.line, column: loc.column + 1 } : positionOf(source, at)
  return { ok: false, at, message: message.slice(0, 200), position }
}

function invalidAt({ message, position }: { message: string; position: SourcePosition }): ScriptForm {
  return { form: 'invalid', message, position }
}

/** Lines and columns count from 1, as in editors. */
function positionOf(source: string, at: number): SourcePosition {
  const lines = source.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

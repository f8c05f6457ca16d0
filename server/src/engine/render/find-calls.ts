import type { Block, Call, Expression, Program, Statement } from './ast.ts'
import { parsedTemplate } from './parsed-templates.ts'

/** Lists the calls of value helpers in a template, also those inside others. A template that cannot be parsed has none. */
export function findCalls(text: string): { name: string; call: Call }[] {
  if (!text.includes('{{')) return []
  const parsed = parsedTemplate(text)
  return parsed.ok ? callsOfProgram(parsed.program) : []
}

type Found = ReturnType<typeof findCalls>

function callsOfProgram(program: Program | undefined): Found {
  return (program?.body ?? []).flatMap(callsOfStatement)
}

function callsOfStatement(node: Statement): Found {
  if (node.type === 'MustacheStatement') return callsOf(node)
  return node.type === 'BlockStatement' ? callsOfBlock(node) : []
}

function callsOfBlock({ program, inverse, ...call }: Block): Found {
  return [...callsOf(call), ...callsOfProgram(program), ...callsOfProgram(inverse)]
}

function callsOf(call: Call): Found {
  const values = [...call.params, ...(call.hash?.pairs ?? []).map(({ value }) => value)]
  const name = call.path.type === 'PathExpression' ? call.path.original : ''
  const own = values.length > 0 ? [{ name, call }] : []
  return [...own, ...values.flatMap(callsOfExpression)]
}

function callsOfExpression(node: Expression): Found {
  return node.type === 'SubExpression' ? callsOf(node) : []
}

import type { AddressBook } from './addresses.ts'
import { renderBlock } from './block-helpers.ts'
import { type Budget, OverBudget, type Steps, spendOn, spendOutput, spendSteps } from './budget.ts'
import { callHelper, evaluate, type Rendering, rootScope, type Scope } from './evaluate.ts'
import { type ShownNetwork, textOf } from './helper-call.ts'
import type { Call, Program, Statement } from './parse-template.ts'
import { parsedTemplate } from './parsed-templates.ts'

export type RenderOptions = {
  addressBook?: AddressBook
  network?: ShownNetwork
  /** What the templates of one message may cost together. */
  steps: Steps
  /** The most characters of this text. */
  outputMax: number
  /** The template is JSON: a value outside quotes is written as JSON, and one inside quotes as escaped text. */
  isJson?: boolean
}
/** `isOverBudget`: the template is valid, but costs more than it may with this data. */
export type Rendered = { ok: true; text: string } | { ok: false; issue: string; isOverBudget: boolean }

export const noNetwork: ShownNetwork = {
  linkTo: () => undefined,
  tokenOf: () => undefined,
  nameOf: () => undefined,
  knownName: () => undefined,
  tellEvent: () => undefined,
}

/**
 * Renders to plain text without escaping, so `{{{x}}}` equals `{{x}}`: a channel that shows HTML or Markdown escapes the text
 * itself. A missing value is empty.
 */
export function renderTemplate(text: string, data: unknown, options: RenderOptions): Rendered {
  const parsed = parsedTemplate(text)
  if (!parsed.ok) return { ok: false, issue: parsed.messages[0] ?? 'is not a template', isOverBudget: false }
  const { addressBook, network = noNetwork } = options
  const rendering: Rendering = {
    budget: { steps: options.steps, outputMax: options.outputMax, outputLeft: options.outputMax },
    book: (text) => addressBook?.(text) ?? network.nameOf(text),
    network,
    output: [],
    ...(options.isJson && { json: { isInString: false } }),
  }
  try {
    // Parsing takes longer than most renderings. It costs the same when the parsed template is cached, so that a message does
    // not fail only sometimes.
    spendSteps(rendering.budget, text.length >> 1)
    renderProgram(parsed.program, rootScope(data), rendering)
    return { ok: true, text: rendering.output.join('') }
  } catch (error) {
    return { ok: false, issue: explainFailure(error), isOverBudget: true }
  }
}

/** The budget does not limit the depth of data, so very deep data overflows the stack. */
function explainFailure(error: unknown): string {
  if (error instanceof OverBudget) return error.message
  if (error instanceof RangeError) return 'shows data that is nested too deeply'
  throw error
}

function renderProgram(program: Program | undefined, scope: Scope, rendering: Rendering): void {
  for (const statement of program?.body ?? []) renderStatement(statement, scope, rendering)
}

function renderStatement(node: Statement, scope: Scope, rendering: Rendering): void {
  spendSteps(rendering.budget, 1)
  if (node.type === 'ContentStatement') writeContent(node.value, rendering)
  if (node.type === 'MustacheStatement') write(shownValue(evaluateTag(node, scope, rendering), rendering), rendering)
  if (node.type === 'BlockStatement') renderBlock(node, scope, rendering, renderProgram)
}

function evaluateTag(node: Call, scope: Scope, rendering: Rendering): unknown {
  const isCall = node.params.length > 0 || node.hash !== undefined
  return isCall ? callHelper(node, scope, rendering) : evaluate(node.path, scope, rendering)
}

function writeContent(text: string, rendering: Rendering): void {
  if (rendering.json) rendering.json.isInString = endsInString(text, rendering.json.isInString)
  write(text, rendering)
}

function shownValue(value: unknown, { budget, json }: Rendering): string {
  if (!json) return textOf(value, budget)
  return json.isInString ? jsonInside(textOf(value, budget), budget) : jsonOf(value, budget)
}

function write(text: string, { budget, output }: Rendering): void {
  spendOutput(budget, text)
  output.push(text)
}

/** True if JSON text ends inside a string, given whether it began inside one. */
function endsInString(text: string, beganInString: boolean): boolean {
  let isInString = beganInString
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isInString = !isInString
    else if (text[at] === '\\' && isInString) at += 1
  }
  return isInString
}

/** A text as it is written between the quotes of a JSON string. */
function jsonInside(text: string, budget: Budget): string {
  spendOn(budget, text)
  return JSON.stringify(text).slice(1, -1)
}

/** A value as JSON; a missing one is null. */
function jsonOf(value: unknown, budget: Budget): string {
  const text = JSON.stringify(value ?? null)
  spendOn(budget, text)
  return text
}

import { spendSteps } from './budget.ts'
import { evaluate, evaluateHash, innerScope, type Rendering, type Scope } from './evaluate.ts'
import { isTruthy } from './helper-call.ts'
import type { Block as BlockNode, Program } from './parse-template.ts'

type RenderProgram = (program: Program | undefined, scope: Scope, rendering: Rendering) => void
type Block = { node: BlockNode; value: unknown; scope: Scope; rendering: Rendering; render: RenderProgram }

/** The block helpers of the contract. A test checks that both lists are equal. */
export const blockHelpers: Record<string, (block: Block) => void> = {
  if: (block) => renderBranch(block, isMet(block)),
  unless: (block) => renderBranch(block, !isMet(block)),
  each: renderEach,
  with: renderWith,
}

export function renderBlock(node: BlockNode, scope: Scope, rendering: Rendering, render: RenderProgram): void {
  const name = node.path.type === 'PathExpression' ? node.path.original : ''
  const [first] = node.params
  const value = first ? evaluate(first, scope, rendering) : undefined
  if (Object.hasOwn(blockHelpers, name)) blockHelpers[name]?.({ node, value, scope, rendering, render })
}

function renderBranch({ node, scope, rendering, render }: Block, isMet: boolean): void {
  render(isMet ? node.program : node.inverse, scope, rendering)
}

/** 0 counts as true with `includeZero=true`. */
function isMet({ node, value, scope, rendering }: Block): boolean {
  if (value === 0) return evaluateHash(node.hash, scope, rendering).includeZero === true
  return isTruthy(value)
}

/** A new scope copies the names of `as |…|` of all blocks around. */
function scopeSteps({ node, scope }: Block): number {
  return 1 + (node.program?.blockParams?.length ?? 0) + Object.keys(scope.names).length
}

function renderWith(block: Block): void {
  const { node, value, scope, rendering, render } = block
  if (!isTruthy(value)) renderBranch(block, false)
  else {
    spendSteps(rendering.budget, scopeSteps(block))
    render(node.program, innerScope(scope, value, { params: node.program?.blockParams, values: [value] }), rendering)
  }
}

function renderEach(block: Block): void {
  const { node, value, scope, rendering, render } = block
  const entries = entriesOf(value)
  if (entries.length === 0) renderBranch(block, false)
  spendSteps(rendering.budget, entries.length * scopeSteps(block))
  for (const [index, [key, item]] of entries.entries()) {
    const data = { index, key, first: index === 0, last: index === entries.length - 1 }
    const named = { params: node.program?.blockParams, values: [item, key], data }
    render(node.program, innerScope(scope, item, named), rendering)
  }
}

function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

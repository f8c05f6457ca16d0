import { spend } from './budget.ts'
import type { RegexNode } from './regex-tree.ts'

/** One state of a nondeterministic automaton: its next states, and what it needs to go there. */
export type Step =
  | { kind: 'one'; accepts: (character: string) => boolean; next: number }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'notWord'; next: number }
  | { kind: 'split'; next: number[] }
  | { kind: 'match' }

/** Counted repetition is expanded to steps, so this bounds the work per character of the text. */
const stepsMax = 1000
const emitsMax = 20_000

type Build = { steps: Step[]; emits: number }

/** Step 0 is the match, the last step is the start. An anchored program matches only from the start of a text on. */
export type Program = { steps: readonly Step[]; isAnchored: boolean; hasWordEdges: boolean }

/** Builds the program from its end. Undefined if it would be too large. */
export function buildProgram(tree: RegexNode): Program | undefined {
  const build: Build = { steps: [{ kind: 'match' }], emits: 0 }
  const start = emit(tree, 0, build)
  if (start === undefined) return undefined
  build.steps.push({ kind: 'split', next: [start] })
  const { steps } = build
  const hasWordEdges = steps.some((step) => step.kind === 'edge' && (step.edge === 'word' || step.edge === 'notWord'))
  return { steps, isAnchored: isAnchored(steps), hasWordEdges }
}

/** True if every way from the start passes the start of the text before it needs a character or matches. */
function isAnchored(steps: readonly Step[]): boolean {
  const reached = new Set([steps.length - 1])
  for (const at of reached) {
    const step = steps[at]
    if (step?.kind === 'one' || step?.kind === 'match') return false
    if (step?.kind === 'split') for (const next of step.next) reached.add(next)
    if (step?.kind === 'edge' && step.edge !== 'start') reached.add(step.next)
  }
  return true
}

/** Adds the steps of a node that continue at `next`. Returns the first step. */
function emit(node: RegexNode, next: number, build: Build): number | undefined {
  if (++build.emits > emitsMax || build.steps.length > stepsMax) return undefined
  spend(1)
  if (node.kind === 'one') return push(build, { kind: 'one', accepts: testerOf(node.source), next })
  if (node.kind === 'edge') return push(build, { kind: 'edge', edge: node.edge, next })
  if (node.kind === 'sequence') return emitAll(node.parts.toReversed(), next, build)
  if (node.kind === 'choice') return emitChoice(node.branches, next, build)
  return emitRepeat(node, next, build)
}

function emitAll(parts: RegexNode[], next: number, build: Build): number | undefined {
  let at: number | undefined = next
  for (const part of parts) {
    at = emit(part, at, build)
    if (at === undefined) return undefined
  }
  return at
}

function emitChoice(branches: RegexNode[], next: number, build: Build): number | undefined {
  const starts: number[] = []
  for (const branch of branches) {
    const start = emit(branch, next, build)
    if (start === undefined) return undefined
    starts.push(start)
  }
  return push(build, { kind: 'split', next: [...new Set(starts)] })
}

function emitRepeat(
  { inner, min, max }: Extract<RegexNode, { kind: 'repeat' }>,
  next: number,
  build: Build,
): number | undefined {
  let at: number | undefined = max === Number.POSITIVE_INFINITY ? emitLoop(inner, next, build) : next
  for (let copy = min; copy < max && max !== Number.POSITIVE_INFINITY && at !== undefined; copy++) {
    const start = emit(inner, at, build)
    at = start === undefined ? undefined : push(build, { kind: 'split', next: [start, next] })
  }
  for (let copy = 0; copy < min && at !== undefined; copy++) at = emit(inner, at, build)
  return at
}

function emitLoop(inner: RegexNode, next: number, build: Build): number | undefined {
  const loop: Step = { kind: 'split', next: [next] }
  const at = push(build, loop)
  const start = emit(inner, at, build)
  if (start === undefined) return undefined
  loop.next.push(start)
  return at
}

function push(build: Build, step: Step): number {
  return build.steps.push(step) - 1
}

type Tester = (character: string) => boolean

/** All programs share the testers: expressions consist of few different characters. The map is cleared at this size. */
const testers = new Map<string, Tester>()
const testersMax = 2_000
/** A new expression of JavaScript takes some microseconds. */
const testerSteps = 50

/**
 * Tests a single character with JavaScript's own RegExp. One character gives nothing to backtrack over, and classes,
 * properties and case folding keep their standard meaning.
 */
function testerOf(source: string): Tester {
  const known = testers.get(source)
  if (known) return known
  spend(testerSteps)
  const expression = new RegExp(`^(?:${source})$`, 'iu')
  const cache = new Map<string, boolean>()
  const tester = (character: string) => {
    const answer = cache.get(character) ?? expression.test(character)
    if (cache.size < 256) cache.set(character, answer)
    return answer
  }
  if (testers.size >= testersMax) testers.clear()
  testers.set(source, tester)
  return tester
}

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

type Build = { steps: Step[]; emits: number; testers: Map<string, (character: string) => boolean> }

/** Builds the program from its end: step 0 is the match, the last step is the start. Undefined if it would be too large. */
export function buildProgram(tree: RegexNode): Step[] | undefined {
  const build: Build = { steps: [{ kind: 'match' }], emits: 0, testers: new Map() }
  const start = emit(tree, 0, build)
  if (start === undefined) return undefined
  build.steps.push({ kind: 'split', next: [start] })
  return build.steps
}

/** Adds the steps of a node that continue at `next`. Returns the first step. */
function emit(node: RegexNode, next: number, build: Build): number | undefined {
  if (++build.emits > emitsMax || build.steps.length > stepsMax) return undefined
  if (node.kind === 'one') return push(build, { kind: 'one', accepts: testerOf(node.source, build), next })
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
  return push(build, { kind: 'split', next: starts })
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

/**
 * Tests a single character with JavaScript's own RegExp. One character gives nothing to backtrack over, and classes,
 * properties and case folding keep their standard meaning.
 */
function testerOf(source: string, build: Build): (character: string) => boolean {
  const known = build.testers.get(source)
  if (known) return known
  const expression = new RegExp(`^(?:${source})$`, 'iu')
  const cache = new Map<string, boolean>()
  const tester = (character: string) => {
    const answer = cache.get(character) ?? expression.test(character)
    if (cache.size < 256) cache.set(character, answer)
    return answer
  }
  build.testers.set(source, tester)
  return tester
}

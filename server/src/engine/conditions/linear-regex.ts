import { spend } from './budget.ts'
import { buildProgram, type Program, type Step } from './regex-program.ts'
import { readRegex } from './regex-tree.ts'

/** A match reads at most this many characters. */
const textMax = 16_384

/**
 * Matches tenants' expressions without JavaScript's backtracking engine, which a dozen characters can block for hours. It
 * follows all paths of the automaton at once, one character after the other: the cost is steps × characters. It finds a
 * match anywhere in the text and ignores case. Undefined if the expression is not supported. The states that it visits are
 * spent from the budget of the evaluation.
 */
export function compileLinearRegex(source: string): ((text: string) => boolean) | undefined {
  const tree = readRegex(source)
  const program = tree && buildProgram(tree)
  return program && ((text) => matchesAnywhere(program, text.length > textMax ? text.slice(0, textMax) : text))
}

/** The states of the automaton at one position of the text. `marks` has `mark` at each of them, so that none is added twice. */
let marks = new Uint32Array(64)
let mark = 0

function startMarking(stepsCount: number): void {
  if (marks.length < stepsCount) marks = new Uint32Array(2 * stepsCount)
  if (mark > 2 ** 31) {
    marks.fill(0)
    mark = 0
  }
}

/** An anchored program can only begin at the start of the text, so without a state it has failed. */
function matchesAnywhere({ steps, isAnchored, hasWordEdges }: Program, text: string): boolean {
  startMarking(steps.length)
  let states: number[] = []
  let previous: string | undefined
  mark++
  for (let at = 0; at <= text.length; ) {
    const character = characterAt(text, at)
    if (at === 0 || !isAnchored) addState(states, steps.length - 1)
    else if (states.length === 0) return false
    const isWordEdge = hasWordEdges && isWordCharacter(previous) !== isWordCharacter(character)
    const isMatch = addReachable(steps, states, { isStart: at === 0, isEnd: character === undefined, isWordEdge })
    spend(1 + (states.length >> 2))
    if (isMatch) return true
    if (character === undefined) return false
    mark++
    states = advance(steps, states, character)
    previous = character
    at += character.length
  }
  return false
}

/** Half of a surrogate pair is a character of its own. */
function characterAt(text: string, at: number): string | undefined {
  if (at >= text.length) return undefined
  const code = text.charCodeAt(at)
  return code < 0xd800 || code > 0xdfff ? text.charAt(at) : String.fromCodePoint(text.codePointAt(at) ?? code)
}

function addState(to: number[], state: number): void {
  if (marks[state] === mark) return
  marks[state] = mark
  to.push(state)
}

type TextPosition = { isStart: boolean; isEnd: boolean; isWordEdge: boolean }

/** Adds all states that need no further character. Returns true if the match is one of them. */
function addReachable(steps: readonly Step[], states: number[], position: TextPosition): boolean {
  for (let at = 0; at < states.length; at++) {
    const step = steps[states[at] ?? 0]
    if (step?.kind === 'match') return true
    if (step?.kind === 'split') for (const next of step.next) addState(states, next)
    if (step?.kind === 'edge' && holds(step.edge, position)) addState(states, step.next)
  }
  return false
}

function holds(edge: 'start' | 'end' | 'word' | 'notWord', position: TextPosition): boolean {
  if (edge === 'start') return position.isStart
  if (edge === 'end') return position.isEnd
  return position.isWordEdge === (edge === 'word')
}

function advance(steps: readonly Step[], states: readonly number[], character: string): number[] {
  const reached: number[] = []
  for (const state of states) {
    const step = steps[state]
    if (step?.kind === 'one' && step.accepts(character)) addState(reached, step.next)
  }
  return reached
}

const wordCharacter = /^\w$/iu

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && wordCharacter.test(character)
}

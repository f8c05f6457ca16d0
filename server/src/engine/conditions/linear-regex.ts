import { buildProgram, type Step } from './regex-program.ts'
import { readRegex } from './regex-tree.ts'

/** A match reads at most this many characters. With the limit of steps, one match takes at most some tens of milliseconds. */
const textMax = 16_384

/**
 * Matches tenants' expressions without JavaScript's backtracking engine, which a dozen characters can block for hours. It
 * follows all paths of the automaton at once, one character after the other: the cost is steps × characters. It finds a
 * match anywhere in the text and ignores case. Undefined if the expression is not supported.
 */
export function compileLinearRegex(source: string): ((text: string) => boolean) | undefined {
  const tree = readRegex(source)
  const program = tree && buildProgram(tree)
  return program && ((text) => matchesAnywhere(program, text.slice(0, textMax)))
}

function matchesAnywhere(program: Step[], text: string): boolean {
  const characters = Array.from(text)
  let states = new Set<number>()
  for (let at = 0; at <= characters.length; at++) {
    const isWord = [isWordCharacter(characters[at - 1]), isWordCharacter(characters[at])]
    const position = { isStart: at === 0, isEnd: at === characters.length, isWordEdge: isWord[0] !== isWord[1] }
    states.add(program.length - 1)
    if (addReachable(program, states, position)) return true
    states = advance(program, states, characters[at])
  }
  return false
}

type TextPosition = { isStart: boolean; isEnd: boolean; isWordEdge: boolean }

/** Adds all states that need no further character. Returns true if the match is one of them. */
function addReachable(program: Step[], states: Set<number>, position: TextPosition): boolean {
  for (const at of states) {
    const step = program[at]
    if (step?.kind === 'match') return true
    if (step?.kind === 'split') for (const next of step.next) states.add(next)
    if (step?.kind === 'edge' && holds(step.edge, position)) states.add(step.next)
  }
  return false
}

function holds(edge: 'start' | 'end' | 'word' | 'notWord', position: TextPosition): boolean {
  if (edge === 'start') return position.isStart
  if (edge === 'end') return position.isEnd
  return position.isWordEdge === (edge === 'word')
}

function advance(program: Step[], states: Set<number>, character: string | undefined): Set<number> {
  const reached = new Set<number>()
  if (character === undefined) return reached
  for (const at of states) {
    const step = program[at]
    if (step?.kind === 'one' && step.accepts(character)) reached.add(step.next)
  }
  return reached
}

const wordCharacter = /^\w$/iu

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && wordCharacter.test(character)
}

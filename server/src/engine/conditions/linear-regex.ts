import { buildProgram, type Step } from './regex-program.ts'
import { readRegex } from './regex-tree.ts'

/** No more of a text is looked at: with the bound on steps, one test is at most some tens of milliseconds. */
const textMax = 16_384

/**
 * Tenants' expressions never run on the platform's backtracking engine, which a dozen characters can occupy for hours:
 * all ways through the automaton are followed at once, one character after the other. Found anywhere in the text,
 * whatever the case. Undefined when the expression cannot be used.
 */
export function compileLinearRegex(source: string): ((text: string) => boolean) | undefined {
  const tree = readRegex(source)
  const program = tree && buildProgram(tree)
  return program && ((text) => isFound(program, text.slice(0, textMax)))
}

function isFound(program: Step[], text: string): boolean {
  const characters = Array.from(text)
  let open = new Set<number>()
  for (let at = 0; at <= characters.length; at++) {
    const isWord = [isWordCharacter(characters[at - 1]), isWordCharacter(characters[at])]
    const place = { isStart: at === 0, isEnd: at === characters.length, isWordEdge: isWord[0] !== isWord[1] }
    open.add(program.length - 1)
    if (follow(program, open, place)) return true
    open = advance(program, open, characters[at])
  }
  return false
}

type Place = { isStart: boolean; isEnd: boolean; isWordEdge: boolean }

/** Grows the set by everything that is reached without taking a character; true when the match is among it. */
function follow(program: Step[], open: Set<number>, place: Place): boolean {
  for (const at of open) {
    const step = program[at]
    if (step?.kind === 'match') return true
    if (step?.kind === 'split') for (const next of step.next) open.add(next)
    if (step?.kind === 'edge' && holds(step.edge, place)) open.add(step.next)
  }
  return false
}

function holds(edge: 'start' | 'end' | 'word' | 'notWord', place: Place): boolean {
  if (edge === 'start') return place.isStart
  if (edge === 'end') return place.isEnd
  return place.isWordEdge === (edge === 'word')
}

function advance(program: Step[], open: Set<number>, character: string | undefined): Set<number> {
  const reached = new Set<number>()
  if (character === undefined) return reached
  for (const at of open) {
    const step = program[at]
    if (step?.kind === 'one' && step.accepts(character)) reached.add(step.next)
  }
  return reached
}

const wordCharacter = /^\w$/iu

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && wordCharacter.test(character)
}

import { randomUUID } from 'node:crypto'
import { safeText } from './safe-text.ts'

type Paint = (text: string) => string
export type Colours = Record<'red' | 'green' | 'yellow' | 'cyan' | 'grey' | 'bold', Paint>

const codes = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  grey: [90, 39],
  bold: [1, 22],
} as const

type Coloured = {
  colours: Colours
  /** Makes a text safe for a terminal, and then its colours real. */
  finish(text: string): string
}

/**
 * Colours on a terminal; plain text elsewhere and with NO_COLOR (https://no-color.org). FORCE_COLOR turns them on. Until a text is
 * printed, its colours carry a mark that nobody else knows, so that they can be told from those that a stranger wrote into it.
 */
export function coloursFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Coloured {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== ''
  const isOn = !env.NO_COLOR && (isForced || (isTerminal && env.TERM !== 'dumb'))
  const mark = randomUUID()
  const paint =
    ([on, off]: readonly [number, number]): Paint =>
    (text) =>
      isOn ? `${mark}[${on}m${text}${mark}[${off}m` : text
  const finish = (text: string) => safeText(text).replaceAll(`${mark}[`, '\u001b[')
  const colours = {
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
    grey: paint(codes.grey),
    bold: paint(codes.bold),
  }
  return { colours, finish }
}

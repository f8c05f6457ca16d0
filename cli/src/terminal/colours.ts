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

/** Colours on a terminal; plain text elsewhere and with NO_COLOR (https://no-color.org). FORCE_COLOR turns them on. */
export function coloursFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Colours {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== ''
  const isOn = !env.NO_COLOR && (isForced || (isTerminal && env.TERM !== 'dumb'))
  const paint =
    ([on, off]: readonly [number, number]): Paint =>
    (text) =>
      isOn ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
    grey: paint(codes.grey),
    bold: paint(codes.bold),
  }
}

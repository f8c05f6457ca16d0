import { expect, test } from 'vitest'
import { safeJson, safeLine, safeText } from './safe-text.ts'
import { makeTerminal } from './terminal.ts'

/** What a terminal acts on, or what hides or turns the text after it. */
const acts = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u2028\u2029\ufff9-\ufffb]|\p{Surrogate}/u
const each = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))
const all = each.join('a')

test('no character of Unicode that a terminal acts on is left, and every other one stays', () => {
  expect(acts.exec(safeText(all))).toBeNull()
  expect(/[\n\t]/.exec(safeLine(all))).toBeNull()
  const changed = each.filter((character) => safeText(character) !== character)
  expect(changed.filter((character) => !acts.test(character))).toEqual([])
  expect(safeText('\u001b]0;title\u0007\u009b31mred\u202e')).toBe('\\u001b]0;title\\u0007\\u009b31mred\\u202e')
  expect(safeText('one\r\ntwo\r')).toBe('one\ntwo\\u000d')
  expect(safeText('Zoë 👩‍👩‍👧 日本 \u0301 עברית')).toBe('Zoë 👩‍👩‍👧 日本 \u0301 עברית')
})

test('JSON says the same as before, without such characters', () => {
  const value = { [all]: [all], lone: '\ud800' }
  const text = safeJson(value, 2)
  expect(acts.exec(text)).toBeNull()
  expect(JSON.parse(text)).toEqual(value)
})

test('colours of the command are real, and those that a stranger wrote are not', () => {
  const written: string[] = []
  const terminal = makeTerminal(
    {
      env: { FORCE_COLOR: '1' },
      cwd: '/',
      isTerminal: { in: false, out: true, err: true },
      writeOut: (text) => void written.push(text),
      writeErr: (text) => void written.push(text),
    },
    [],
  )
  const stranger = '\u001b[31mred\u001b[0m'
  const text = `${terminal.colours.green(stranger)} ${stranger}`
  terminal.print({ json: null, text })
  terminal.note(text)
  const shown = '\\u001b[31mred\\u001b[0m'
  const line = `\u001b[32m${shown}\u001b[39m ${shown}\n`
  expect(written).toEqual([line, line])
})

import { expect, test } from 'vitest'
import { cleanText, cleanTitle } from './clean-text.ts'

test('a title is one line of at most 300 characters, without control and direction marks', () => {
  const title = cleanTitle(`Raise\u0000 the\r\nlimit \u202eexe.\u200f\u200e\u061c${'x'.repeat(5_000)}`)
  expect(title).toMatch(/^Raise the limit exe\.x+…$/)
  expect(title).toHaveLength(300)
})

test('a text keeps its lines and its letters', () => {
  expect(cleanText('a\r\nb\u2028c\u0007\n\n\n\nd\u200e')).toBe('a\nb\nc\n\nd\u200e')
})

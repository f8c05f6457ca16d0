import { expect, test } from 'vitest'
import { diffLines, nearChanges } from './line-diff.ts'

const diff = (before: string, after: string) =>
  diffLines(before.split(' '), after.split(' ')).map(
    ({ kind, text }) => `${{ same: '', added: '+', removed: '-' }[kind]}${text}`,
  )

test('common lines stay, and removed lines come before added lines', () => {
  expect(diff('a b c d', 'a x c d e').join(' ')).toBe('a -b +x c d +e')
  expect(diff('a b', 'a b').join(' ')).toBe('a b')
})

test('both texts can be rebuilt from the difference', () => {
  const [before, after] = ['q w e r t y q w', 'w e t y u q q w'].map((text) => text.split(' '))
  const lines = diffLines(before ?? [], after ?? [])
  expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
  expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
})

test('lines far from changes are collapsed', () => {
  const lines = diffLines(['1', '2', '3', '4', '5', '6'], ['1', '2', '3', '4', '5', 'x'])
  expect(nearChanges(lines, 1).map((line) => line?.text)).toEqual([undefined, '5', '6', 'x'])
})

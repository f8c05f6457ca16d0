import { expect, test } from 'vitest'
import { headersOfLines, linesOfHeaders } from './header-lines.ts'

test('headers are lines of text, and the lines are the same headers again', () => {
  const headers = { 'X-Key': 'a: b', Accept: '*/*' }
  expect(linesOfHeaders(headers)).toBe('X-Key: a: b\nAccept: */*')
  expect(headersOfLines(linesOfHeaders(headers))).toEqual(headers)
})

test('empty lines are left out, and no line is no headers', () => {
  expect(headersOfLines('\n X-Key :  k \n\n')).toEqual({ 'X-Key': 'k' })
  expect(headersOfLines(' \n')).toBeUndefined()
  expect(linesOfHeaders(undefined)).toBe('')
})
